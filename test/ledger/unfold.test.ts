import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COLUMNS } from '../../src/ledger/columns.ts';
import type { Day } from '../../src/ledger/day.ts';
import { fold } from '../../src/ledger/fold.ts';
import { type Row, unfold } from '../../src/ledger/unfold.ts';
import { emptyRows, type Rows, WORDS } from '../../src/store/hits.ts';

/** Rows as an import of what was given out holds them. */
function rowsOf(given: readonly Row[]): Rows {
  const rows = emptyRows(given.length);
  for (const [i, { visitor, second, engaged, words }] of given.entries()) {
    rows.visitor[i] = visitor;
    rows.second[i] = second;
    rows.engaged[i] = engaged ?? -1;
    for (const word of WORDS) rows.words[word][i] = words[word];
  }
  rows.count = given.length;
  return rows;
}

/** All that is known of a day, visits in any order of their visitors, which says nothing. */
function known(day: Day): string[][] {
  const rows = [...unfold(day)].map(({ visitor, ...row }) => [visitor, JSON.stringify(row)] as const);
  return [...Map.groupBy(rows, ([visitor]) => visitor).values()].map((of) => of.map(([, row]) => row)).sort();
}

const row = fc.record({
  visitor: fc.nat(3),
  second: fc.oneof(fc.constantFrom(0, 1_800, 1_801, 3_600, 3_601, 86_399), fc.nat(86_399), fc.nat(9_000)),
  engaged: fc.constantFrom(undefined, undefined, 0, 30),
  words: fc.record(Object.fromEntries(WORDS.map((word) => [word, fc.nat(2)]))),
}) as fc.Arbitrary<Row>;

test('what is given out of a day makes the same day again', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40, size: 'max' }), (rows) => {
      const day = fold(1, rowsOf(rows));
      const again = fold(1, rowsOf([...unfold(day)]));
      assert.deepEqual(again.totals, day.totals);
      assert.deepEqual(known(again), known(day));
      for (const name of COLUMNS) assert.equal(again.column(name).codes.length, day.column(name).codes.length, name);
    }),
    { numRuns: 300 },
  );
});
