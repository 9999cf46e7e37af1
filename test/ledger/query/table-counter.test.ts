import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Day } from '../../../src/ledger/day/day.ts';
import { selectAll } from '../../../src/ledger/day/day.ts';
import { makeTable, makeTableCounter, mergeTables, type TableCount } from '../../../src/ledger/query/table-counter.ts';
import type { Of } from '../../../src/stats/query.ts';
import { MOST_TABLE_ROWS } from '../../../src/stats/table.ts';

const QUERY: Of<'table'> = {
  ...{ report: 'table', siteId: 1, timeZone: 'UTC', range: { from: 0, to: 9 }, filters: {} },
  ...{ by: ['country', 'browser'], metrics: [], offset: 0, limit: 10 },
};
const TEXTS = { findTerm: () => undefined, readText: (term: number) => `text ${term}` };

/** A day whose visits have each pair of countries and browsers once, each of a visitor of its own. */
function squareDay(side: number): Day {
  const visits = side * side;
  const terms = Uint32Array.from({ length: side }, (_, i) => i);
  const columns: Record<string, number[]> = { country: [], browser: [], again: [], hits: [], event: [] };
  for (let visit = 0; visit < visits; visit++) {
    columns.country?.push(Math.floor(visit / side));
    columns.browser?.push(visit % side);
  }
  const zeros = new Uint8Array(visits);
  return {
    day: 5,
    totals: { visitors: visits, visits, pageviews: visits, events: 0, bounces: visits, seconds: 0 },
    column: (name) => ({ terms, codes: columns[name]?.length ? Uint32Array.from(columns[name]) : zeros }),
  };
}

function countDay(side: number): TableCount {
  const counter = makeTableCounter(QUERY, [], { counted: {}, goal: [] }, TEXTS);
  const day = squareDay(side);
  counter.add(day, selectAll(day));
  return counter.list();
}

test('tables: rows of two threads are added up, and a row without visitors is none', () => {
  const one = countDay(3);
  const merged = mergeTables(QUERY, [one, one]);
  assert.deepEqual(Array.from(merged.visitors), Array(9).fill(2));
  const less = { ...one, visitors: Array.from(one.visitors, (visitors) => -visitors) };
  const none = makeTable(QUERY, mergeTables(QUERY, [one, less]), TEXTS);
  assert.deepEqual(none, { rows: [], total: 0, isTooLong: false });
});

test('tables: a table with more rows than allowed is refused, of one thread or of several', () => {
  const side = Math.floor(Math.sqrt(MOST_TABLE_ROWS));
  assert.equal(countDay(side).isTooLong, false);
  const long = countDay(side + 1);
  assert.equal(long.isTooLong, true);
  assert.deepEqual(makeTable(QUERY, mergeTables(QUERY, [countDay(2), long]), TEXTS), {
    rows: [],
    total: 4,
    isTooLong: true,
  });
});
