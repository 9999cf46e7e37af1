import { test } from 'node:test';
import { LIMITS } from '../src/ledger/open/compaction.ts';
import { TINY } from '../test/ledger/stage.ts';
import { agreeAtEveryMoment } from '../test/stats/moments.ts';
import { scaled } from './scale.ts';

const SITES = scaled(2, 50);
const QUESTIONS_EACH = 100;

for (const [letter, how, limits] of [
  ['A1', '', LIMITS],
  ['A2', ', with days in parts', TINY],
] as const) {
  test(`${letter} random questions are answered as the reference answers them, at any moment of a day${how}`, (t) =>
    agreeAtEveryMoment(t, limits, { sites: SITES, questionsEach: QUESTIONS_EACH }));
}
