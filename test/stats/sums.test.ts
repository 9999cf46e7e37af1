import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../../src/stats/query.ts';
import { isFromSums, type KeptSums } from '../../src/stats/sums.ts';

const SITE = { siteId: 1, range: { from: 0, to: 7 }, filters: {} };
const ROWS = { ...SITE, report: 'breakdown', limit: 10 } as const;

/** A query, and whether totals and counts by value answer it alone, and with more sums beside them. */
const QUERIES: [string, Query, alone: boolean, withMore: boolean][] = [
  ['overview', { ...SITE, report: 'overview' }, true, true],
  ['overview with a filter', { ...SITE, report: 'overview', filters: { page: { is: ['/'] } } }, false, false],
  ['overview with the time on pages', { ...SITE, report: 'overview', withTimes: true }, false, true],
  ['points with the time on pages', { ...SITE, report: 'timeseries', metrics: ['time_on_page'] }, false, true],
  ['points with the visit duration', { ...SITE, report: 'timeseries', metrics: ['visit_duration'] }, true, true],
  ['pages', { ...ROWS, breakdown: 'pages', metrics: ['pageviews'] }, true, true],
  ['countries with their bounce rate', { ...ROWS, breakdown: 'countries', metrics: ['bounce_rate'] }, false, true],
  ['a goal of a page', { ...SITE, report: 'goals', goals: [{ id: 1, type: 'page', value: '/a' }] }, true, true],
  ['a goal of many pages', { ...SITE, report: 'goals', goals: [{ id: 1, type: 'page', value: '/a/*' }] }, false, false],
  ['a funnel', { ...SITE, report: 'funnel', steps: [{ type: 'page', value: '/a' }] }, false, false],
  ['who is there now', { ...SITE, report: 'realtime', now: 0 }, false, false],
];

const ALONE: KeptSums = { spans: false, hasRowSums: (_, names) => names.length === 0 };
const WITH_MORE: KeptSums = { spans: true, hasRowSums: () => true };

for (const [name, question, alone, withMore] of QUERIES) {
  test(`sums: ${name}`, () => {
    assert.deepEqual([isFromSums(question, ALONE), isFromSums(question, WITH_MORE)], [alone, withMore]);
  });
}
