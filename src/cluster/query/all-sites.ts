// A query about all sites of an account runs once for each site. Then the results are added up.
//
// Invariant: each site is counted in its own time zone. A visitor of two sites is counted for each site, because a
// visitor code belongs to one site.
//
// Example: one of three sites began yesterday, so it has two days. In a report of a week, these two days are added to
// the last two points of the other sites. queries.ts calls `measureSites`.
import { compareCodePoints } from '../../lib/code-points.ts';
import {
  type Aggregates,
  addTotals,
  makeNothingMeasured,
  noTotals,
  type RowAggregates,
  type Totals,
} from '../../stats/aggregates.ts';
import {
  askSite,
  listNoted,
  type SharedMeasured,
  SITES,
  type SiteDays,
  type SitesQuery,
} from '../../stats/all-sites.ts';
import { chooseInterval, listSpans, type Query } from '../../stats/query.ts';
import { type Amounts, addAllAmounts, addAmounts } from '../../stats/revenue.ts';

/** How many sites are counted at a time. All sites at once would keep the ClickHouse servers from other queries. */
const AT_ONCE = 8;

type MeasuredSite = { site: SiteDays; measured: Aggregates };

export async function measureSites(
  measure: (query: Query) => Promise<Aggregates>,
  asked: SitesQuery,
): Promise<SharedMeasured> {
  const all: MeasuredSite[] = [];
  for (let from = 0; from < asked.sites.length; from += AT_ONCE) {
    const some = asked.sites
      .slice(from, from + AT_ONCE)
      .map(async (site): Promise<MeasuredSite> => ({ site, measured: await measureSite(measure, asked, site) }));
    all.push(...(await Promise.all(some)));
  }
  const totals: Totals[] = [];
  const revenue: Amounts[] = [];
  for (const { measured } of all) {
    addAllAmounts(revenue, measured.revenue ?? []);
    for (const [i, own] of measured.totals.entries()) {
      totals[i] ??= noTotals();
      addTotals(totals[i], own);
    }
  }
  const live = all.reduce((sum, { measured }) => sum + measured.live, 0);
  return {
    measured: {
      ...{ ...makeNothingMeasured(), totals, rows: mergeRows(asked, all), live },
      ...(asked.currency === undefined ? {} : { revenue }),
    },
    bySite: all.flatMap(({ site: { siteId }, measured }) => listNoted(siteId, measured)),
  };
}

/** Adds up the rows of a breakdown, such as countries, over all sites. The breakdown by site has a row per site. */
function mergeRows(asked: SitesQuery, all: readonly MeasuredSite[]): RowAggregates[] {
  if (asked.report !== 'breakdown') return [];
  const visitors = new Map<string, number>();
  for (const { site, measured } of all) {
    const own =
      asked.breakdown === SITES ? [{ value: site.domain, visitors: measured.totals[0]?.visitors ?? 0 }] : measured.rows;
    for (const row of own) visitors.set(row.value, (visitors.get(row.value) ?? 0) + row.visitors);
  }
  return [...visitors]
    .filter(([, count]) => count > 0)
    .sort(([one, left], [other, right]) => right - left || compareCodePoints(one, other))
    .slice(asked.offset, asked.offset + asked.limit)
    .map(([value, visitors]) => ({ value, visitors }));
}

/**
 * Counts one site. A site that began yesterday has only 2 points in a chart of 7 days. These become the last 2 of 7
 * points, and the first 5 points are 0. So `measureSites` can add up the points of all sites.
 */
async function measureSite(
  measure: (query: Query) => Promise<Aggregates>,
  asked: SitesQuery,
  site: SiteDays,
): Promise<Aggregates> {
  const { query } = askSite(asked, site);
  if (query.report === 'breakdown') return measure({ ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER });
  if (query.report !== 'timeseries') return measure(query);
  const own: Query = { ...query, range: site.range, interval: chooseInterval(query) };
  const measured = await measure(own);
  const points = listSpans(query);
  const totals = points.map(noTotals);
  const revenue = points.map((): Amounts => ({}));
  for (const [i, { from }] of listSpans(own).entries()) {
    const place = points.findIndex(({ to }) => from < to);
    addTotals(totals[place] as Totals, measured.totals[i] as Totals);
    addAmounts(revenue[place] as Amounts, measured.revenue?.[i] ?? {});
  }
  return { ...measured, totals, ...(asked.currency === undefined ? {} : { revenue }) };
}
