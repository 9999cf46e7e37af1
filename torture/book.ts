import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { recount } from '../src/ledger/upkeep/recount.ts';
import { TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { type Program, program } from '../test/support/program.ts';
import { fill, isWhole, look, past } from './furnish.ts';
import { scaled } from './scale.ts';

export const ROUNDS = scaled(2, 20);
export const SITES = ['example.com', 'other.example'];

export const assertSound = (path: string): void =>
  look(path, (db) => {
    assert.ok(isWhole(db));
    for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], `day ${day}`);
  });

/** A file with sealed days, and one of today. */
export async function book(t: TestContext, hits = 3_000): Promise<Program & { token: string }> {
  const daybook = program(t);
  const token = await furnish(daybook.db, SITES);
  const days = Array.from({ length: 5 }, (_, n) => TODAY - 1 - n);
  await fill(
    daybook.db,
    [1, 2].flatMap((site) => days.flatMap((day) => past(site, day, hits))),
  );
  await daybook.print(['seal']);
  await fill(daybook.db, [...past(1, TODAY, hits), ...past(2, TODAY, hits)]);
  return { ...daybook, token };
}
