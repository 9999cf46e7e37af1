import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnName } from '../../../src/ledger/column/column.ts';
import type { Column } from '../../../src/ledger/column/packing.ts';
import type { HitTest } from '../../../src/ledger/count/hit-filter.ts';
import type { ColumnTest } from '../../../src/ledger/count/term-filter.ts';
import type { Day } from '../../../src/ledger/day/day.ts';
import { selectAll } from '../../../src/ledger/day/day.ts';
import { mergeTables } from '../../../src/ledger/query/merge-tables.ts';
import type { TableCount } from '../../../src/ledger/query/table-count.ts';
import { makeTableCounter } from '../../../src/ledger/query/table-counter.ts';
import { makeTable } from '../../../src/ledger/query/table-rows.ts';
import type { Of } from '../../../src/stats/query.ts';
import { MOST_TABLE_ROWS } from '../../../src/stats/table.ts';

const QUERY: Of<'table'> = {
  ...{ report: 'table', siteId: 1, timeZone: 'UTC', range: { from: 0, to: 9 }, filters: {} },
  ...{ by: ['country', 'browser'], metrics: [], offset: 0, limit: 10 },
};
const TEXTS = { findTerm: () => undefined, readText: (term: number) => `text ${term}` };

/** A day with `values` countries and browsers. Each visit has a visitor of its own. */
function makeDay(values: number, countries: Uint32Array, browsers: Uint32Array): Day {
  const visits = countries.length;
  const terms = Uint32Array.from({ length: values }, (_, i) => i);
  const columns: Partial<Record<ColumnName, Uint32Array>> = { country: countries, browser: browsers };
  const zeros = new Uint8Array(visits);
  return {
    day: 5,
    totals: { visitors: visits, visits, pageviews: visits, events: 0, bounces: visits, seconds: 0 },
    column: (name) => ({ terms, codes: columns[name] ?? zeros }),
  };
}

/** A day whose visits have each pair of countries and browsers once. */
function squareDay(side: number): Day {
  const visits = Uint32Array.from({ length: side * side }, (_, visit) => visit);
  return makeDay(
    side,
    visits.map((visit) => Math.floor(visit / side)),
    visits.map((visit) => visit % side),
  );
}

/** A day with so many values that a grid cannot have all of their pairs. Visit i has the country i and the browser i. */
function diagonalDay(): Day {
  const visits = Uint32Array.from({ length: 3_000 }, (_, visit) => visit);
  return makeDay(visits.length, visits, visits);
}

function countDays(...days: readonly Day[]): TableCount {
  const counter = makeTableCounter(QUERY, [], { counted: {}, goal: [] }, TEXTS);
  for (const day of days) counter.add(day, selectAll(day));
  return counter.list();
}

const readList = ({ terms, codes }: Column) => Array.from(codes, (code) => terms[code] as number);

const countDay = (side: number): TableCount => countDays(squareDay(side));

test('tables: rows of two threads are added up, and a row without visitors is none', () => {
  const one = countDay(3);
  const merged = mergeTables(QUERY, [one, one]);
  assert.deepEqual(Array.from(merged.visitors), Array(9).fill(2));
  const less = { ...one, visitors: Array.from(one.visitors, (visitors) => -visitors) };
  const none = makeTable(QUERY, mergeTables(QUERY, [one, less]), TEXTS);
  assert.deepEqual(none, { rows: [], total: 0, isTooLong: false });
});

test('tables: pairs that fit into no grid are counted too, of one thread or of several', () => {
  const [square, diagonal] = [squareDay(5), diagonalDay()];
  const whole = countDays(square, diagonal, square);
  const merged = mergeTables(QUERY, [countDays(square, square), countDays(diagonal)]);
  for (const { keys, visitors } of [whole, merged]) {
    const [countries = [], browsers = []] = keys.map(readList);
    assert.equal(visitors.length, 3_000 + 20);
    for (const [i, country] of countries.entries()) {
      const [isInSquare, isOnDiagonal] = [Math.max(country, browsers[i] ?? 0) < 5, country === browsers[i]];
      assert.equal(visitors[i], 2 * Number(isInSquare) + Number(isOnDiagonal));
    }
  }
});

test('tables: a table with more rows than allowed is refused, of one thread or of several', () => {
  const side = Math.floor(Math.sqrt(MOST_TABLE_ROWS));
  assert.equal(countDay(side).isTooLong, false);
  const long = countDay(side + 1);
  assert.equal(long.isTooLong, true);
  assert.deepEqual(makeTable(QUERY, mergeTables(QUERY, [countDay(2), long]), TEXTS), {
    rows: [],
    total: 0,
    isTooLong: true,
  });
});

test('tables: rows that filters leave out do not make a table too long', () => {
  const side = Math.ceil(Math.sqrt(MOST_TABLE_ROWS)) + 1;
  const counter = makeTableCounter(QUERY, [], { counted: {}, goal: [] }, TEXTS);
  counter.add(squareDay(side), { visits: Uint32Array.of(0, side + 1), count: 2 });
  const { keys, visitors, isTooLong } = counter.list();
  const lists = [...keys.map(readList), Array.from(visitors)].map((list) => list.join());
  assert.deepEqual([lists, isTooLong], [['0,1', '0,1', '1,1'], false]);
});

const isFirst: ColumnTest = ({ codes }) => ({ codes, code: 0 });
const ON_FIRST_PAGE: HitTest = { where: [[({ column }) => column('page'), isFirst]] };

/**
 * A square day with one pageview in each visit. Its page is the browser of the visit. If `again` is 1, all visits are of
 * one visitor.
 */
function dayWithHits(side: number, again: number): Day {
  const day = squareDay(side);
  const visits = side * side;
  const single: Column = { terms: Uint32Array.of(0), codes: new Uint8Array(visits) };
  const ones: Column = { terms: Uint32Array.of(1), codes: new Uint8Array(visits).fill(1) };
  const byVisitor: Column = { terms: Uint32Array.of(0, 1), codes: new Uint8Array(visits).fill(again, 1) };
  const own: Partial<Record<ColumnName, Column>> = {
    ...{ page: day.column('browser'), event: single, hits: ones, again: byVisitor },
  };
  return { ...day, column: (name) => own[name] ?? day.column(name) };
}

test('tables: hits that filters leave out do not make a table too long', () => {
  const side = Math.ceil(Math.sqrt(MOST_TABLE_ROWS)) + 1;
  const query: Of<'table'> = { ...QUERY, by: ['page', 'country'] };
  const counter = makeTableCounter(query, [], { counted: ON_FIRST_PAGE, goal: [] }, TEXTS);
  const day = dayWithHits(side, 0);
  counter.add(day, selectAll(day));
  const { visitors, isTooLong } = counter.list();
  assert.deepEqual([visitors.length, isTooLong], [side, false]);
});

test('tables: a visitor with several visits counts once in each row of hits', () => {
  const query: Of<'table'> = { ...QUERY, by: ['page', 'device'] };
  for (const [again, visitors] of [
    [0, 5],
    [1, 1],
  ] as const) {
    const counter = makeTableCounter(query, ['hits'], { counted: ON_FIRST_PAGE, goal: [] }, TEXTS);
    const day = dayWithHits(5, again);
    counter.add(day, selectAll(day));
    const rows = counter.list();
    assert.deepEqual([Array.from(rows.visitors), Array.from(rows.more.hits ?? [])], [[visitors], [5]]);
  }
});
