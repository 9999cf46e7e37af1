import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSites, measureSites, splitSites } from '../../../src/ledger/query/all-sites.ts';
import { dayReader } from '../../../src/ledger/query/day-reader.ts';
import { cacheTextsOfSites } from '../../../src/ledger/rows/terms.ts';
import type { SitesQuery } from '../../../src/stats/all-sites.ts';
import type { Filters } from '../../../src/stats/query.ts';
import { append, fileOf, pageview, TODAY } from '../../collect/stage.ts';
import { chance } from '../../support/random.ts';

/** How many sites of 100 are measured at once. */
function sizes(days: number, filters: Filters = {}): number[] {
  const range = { from: TODAY - days + 1, to: TODAY + 1 };
  const sites = Array.from({ length: 100 }, (_, i) => ({ siteId: i + 1, domain: `site${i}.example`, range }));
  const asked: SitesQuery = { report: 'timeseries', range, filters, sites, userId: 1 };
  const portions = splitSites(asked, sites);
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

test('parts that leave out small rows add up to the same largest ones, or say that they need more rows', async (t) => {
  const roll = chance(t);
  const { open } = fileOf(t, { sites: 6 });
  const { db } = open();
  const sites = Array.from({ length: 6 }, (_, i) => ({
    siteId: i + 1,
    domain: `site${i}.example`,
    range: { from: TODAY, to: TODAY + 1 },
  }));
  await append(
    db,
    Array.from({ length: 1_500 }, (_, visitor) => {
      const siteId = 1 + Math.floor(roll() * 6);
      // Few sources have most visitors, and some are those of one site.
      const source = Math.floor(40 * roll() ** 3);
      return pageview({ siteId, visitor, source: source % 3 === 0 ? `s${source}.org` : `s${source}.${siteId}.org` });
    }),
  );
  const days = dayReader(db);
  const readTexts = cacheTextsOfSites(db);
  let told = 0;
  for (let n = 0; n < 300; n++) {
    const [limit, offset] = [1 + Math.floor(roll() * 12), Math.floor(roll() * 5)];
    const range = { from: TODAY, to: TODAY + 1 };
    const asked: SitesQuery = {
      ...{ report: 'breakdown', breakdown: 'referrers', limit, offset },
      ...{ range, filters: {}, sites, userId: 1 },
    };
    const cut = 1 + Math.floor(roll() * 5);
    const answer = (most: number) =>
      addSites(
        asked,
        [sites.slice(0, cut), sites.slice(cut)].map((own) => {
          days.nextQuery();
          return measureSites(days, readTexts, { ...asked, sites: own }, most);
        }),
      );
    const all = answer(Number.POSITIVE_INFINITY);
    assert.equal(all?.measured.rows.length, limit);
    const some = answer(limit + offset + Math.floor(roll() * 120));
    if (some) told++;
    assert.deepEqual(some ?? all, all);
  }
  assert.ok(told > 10 && told < 290, `${told} of 300 were told`);
});
