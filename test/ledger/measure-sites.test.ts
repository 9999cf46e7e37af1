import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portionsOf } from '../../src/ledger/measure-sites.ts';
import type { SharedQuestion } from '../../src/stats/all-sites.ts';
import type { Filters } from '../../src/stats/question.ts';
import { TODAY } from '../collect/stage.ts';

/** How many sites of 100 are measured at once. */
function sizes(days: number, filters: Filters = {}): number[] {
  const range = { from: TODAY - days + 1, to: TODAY + 1 };
  const sites = Array.from({ length: 100 }, (_, i) => ({ siteId: i + 1, domain: `site${i}.example`, range }));
  const asked: SharedQuestion = { report: 'timeseries', range, filters, sites, userId: 1 };
  const portions = portionsOf(asked, sites);
  assert.deepEqual(portions.flat(), sites);
  return portions.map(({ length }) => length);
}

test('what rollups answer is measured at once, and scans in portions of about a year of days', () => {
  const filters = { country: { is: ['DE'] } };
  assert.deepEqual(sizes(365), [100]);
  assert.deepEqual(sizes(365, filters), Array(100).fill(1));
  assert.deepEqual(sizes(700, filters), Array(100).fill(1));
  assert.deepEqual(sizes(30, filters), [...Array(7).fill(13), 9]);
  assert.deepEqual(sizes(1, filters), [100]);
});
