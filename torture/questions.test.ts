import { test } from 'node:test';
import { LIMITS } from '../src/ledger/open/compaction.ts';
import { TINY } from '../test/ledger/stage.ts';
import { agreeAtEveryMoment } from '../test/stats/moments.ts';
import { scaled } from './scale.ts';

/** A test may take 15 minutes, and a site takes up to 90 s on a busy cluster. So the sites are in several tests. */
const ROUNDS = scaled(1, 10);
const SITES = scaled(2, 5);
const QUESTIONS_EACH = 100;

for (const [letter, how, limits] of [
  ['A1', '', LIMITS],
  ['A2', ', with days in parts', TINY],
] as const) {
  for (let round = 1; round <= ROUNDS; round++)
    test(`${letter} random questions are answered as the reference answers them, at any moment of a day${how} (round ${round})`, (t) =>
      agreeAtEveryMoment(t, limits, { sites: SITES, questionsEach: QUESTIONS_EACH }));
}
