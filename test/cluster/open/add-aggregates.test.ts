import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAggregates, askForAll } from '../../../src/cluster/open/add-aggregates.ts';
import { makeNothingMeasured, noTotals } from '../../../src/stats/aggregates.ts';
import type { Query } from '../../../src/stats/query.ts';

const RANGE = { siteId: 1, range: { from: 100, to: 102 }, filters: {} };

test('answers of two places: rows are chosen from their sums, one page of them', () => {
  const query: Query = { report: 'breakdown', breakdown: 'pages', ...RANGE, limit: 1, offset: 1 };
  const all = askForAll(query);
  assert.ok(all.report === 'breakdown' && all.limit > 10_000 && all.offset === 0);
  const one = {
    ...makeNothingMeasured(),
    rows: [
      { value: '/a', visitors: 20 },
      { value: '/b', visitors: 10 },
    ],
  };
  const other = {
    ...makeNothingMeasured(),
    rows: [
      { value: '/b', visitors: 15 },
      { value: '/a', visitors: 3 },
    ],
  };
  assert.deepEqual(addAggregates(query, [one, other]).rows, [{ value: '/a', visitors: 23 }]);
});

test('answers of two places: rows are sorted by the sums of a figure that is not shown', () => {
  const query: Query = {
    report: 'breakdown',
    breakdown: 'countries',
    ...RANGE,
    limit: 9,
    sort: 'pageviews',
    metrics: [],
  };
  const all = askForAll(query);
  assert.ok(all.report === 'breakdown');
  assert.deepEqual(all.metrics, ['pageviews']);
  const row = (value: string, visitors: number, pageviews: number) => ({
    ...makeNothingMeasured(),
    rows: [{ value, visitors, sums: { visitors, pageviews } }],
  });
  const { rows } = addAggregates(query, [row('DE', 9, 10), row('FR', 1, 11), row('DE', 1, 2)]);
  assert.deepEqual(rows, [
    { value: 'DE', visitors: 10 },
    { value: 'FR', visitors: 1 },
  ]);
});

test('answers of two places: totals, days and excluded visits add up', () => {
  const query: Query = { report: 'overview', ...RANGE };
  const day = (visitors: number, number: number) => ({
    ...makeNothingMeasured(),
    totals: [{ ...noTotals(), visitors }],
    hours: [{ day: number, last: 0, hour: [1], visitors: [1], arrivals: [1], pageviews: [1] }],
    steps: [visitors, 1],
    excluded: { 0: 1, 7: visitors },
  });
  const { totals, hours, steps, excluded } = addAggregates(query, [day(5, 101), day(2, 100)]);
  assert.equal(totals[0]?.visitors, 7);
  assert.deepEqual([hours.map(({ day }) => day), steps, excluded], [[100, 101], [7, 2], { 0: 2, 7: 7 }]);
});
