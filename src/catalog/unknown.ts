// Adds the list of unknown sums to the aggregates of a query. Some imports lack a sum, such as the visit durations. For
// such a sum, the engine stores 0. The table `sealed_day` says that the sum is unknown, so an answer shows null and not
// 0. Both engines call this file. Test: test/exchange/unknown-sums.test.ts.

import type { Aggregates } from '../stats/aggregates.ts';
import { askSite, type SharedMeasured, type SitesQuery } from '../stats/all-sites.ts';
import { listRanges, type Query } from '../stats/query.ts';
import { listLacks, listUnknownTotals } from '../stats/unknown.ts';
import type { Db } from '../store/db.ts';
import { listUnknown } from './sealed-days.ts';

export const addUnknown = (db: Db, query: Query, measured: Aggregates): Aggregates => ({
  ...measured,
  ...findUnknown(db, query, measured.leftOut),
});

/**
 * Adds the list of unknown sums to the aggregates of several sites. A sum that is unknown for one site is unknown for
 * all sites together.
 */
export function addSharedUnknown(db: Db, asked: SitesQuery, found: SharedMeasured): SharedMeasured {
  const bySite = new Map(found.bySite.map((one) => [one.siteId, one]));
  const unknown: Aggregates['unknown'] = [];
  for (const site of asked.sites) {
    const { siteId } = site;
    const told = bySite.get(siteId) ?? { siteId, leftOut: [], excluded: {}, untouched: [] };
    const { unknown: own = [], lacks } = findUnknown(db, askSite(asked, site).query, told.leftOut);
    if (lacks) bySite.set(siteId, { ...told, lacks });
    for (const [i, names] of own.entries()) unknown[i] = [...(unknown[i] ?? []), ...names];
  }
  return { measured: { ...found.measured, unknown }, bySite: [...bySite.values()] };
}

type UnknownNotices = Pick<Aggregates, 'unknown' | 'lacks'>;

/** Finds the unknown sums on the days of a query. Days in `leftOut` do not count, so they are ignored. */
function findUnknown(db: Db, query: Query, leftOut: readonly number[]): UnknownNotices {
  const days = listRanges(query)
    .flatMap(({ from, to }) => listUnknown(db, query.siteId, from, to))
    .filter(({ day }) => !leftOut.includes(day));
  return days.length === 0 ? {} : { unknown: listUnknownTotals(query, days), lacks: listLacks(query, days) };
}
