// Queries over all sites of a user.
//
// Invariant: each site is queried for its own days. The date of one site may be a day ahead of another site's.
//
// Example: 3 sites with 10, 20 and 5 visitors have 35 visitors together. api/all-sites.ts makes these queries. Both
// engines make the query of each site with `askSite`, and add up the results. Test: test/stats/all-sites.long.test.ts.

import type { Aggregates } from './aggregates.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS, type DimensionName, VISIT_DIMENSIONS } from './dimensions.ts';
import type { Interval } from './interval.ts';
import { type Compared, type Filters, listRanges, type Query, type Range } from './query.ts';

/**
 * One site of a query over several sites. Each site has its own range of days, because its date may be a day ahead of
 * another site's.
 */
export type SiteDays = { siteId: number; domain: string; range: Range; compared?: Compared };

/** The name of the breakdown by site. Each row is one site. */
export const SITES = 'sites';

const isOfVisits = (breakdown: Breakdown): boolean =>
  (VISIT_DIMENSIONS as readonly DimensionName[]).includes(BREAKDOWNS[breakdown]);

/**
 * The breakdowns that may be added up over several sites, such as countries. Breakdowns by page or event are left out.
 * The page / of one site is not the page / of another site.
 */
export const SHARED_BREAKDOWNS = [
  SITES,
  ...Object.values(DIMENSIONS)
    .map((one) => one.breakdown)
    .filter(isOfVisits),
] as [typeof SITES, ...Breakdown[]];

/**
 * The intervals of a timeseries over several sites. `hour` is left out, because the hours of sites in different time
 * zones do not match.
 */
export const SHARED_INTERVALS = ['day', 'week', 'month'] as const satisfies Interval[];
type SharedInterval = (typeof SHARED_INTERVALS)[number];

type SitesReport =
  | { report: 'overview' }
  | { report: 'timeseries'; interval?: SharedInterval | undefined }
  | { report: 'breakdown'; breakdown: Breakdown | typeof SITES; limit: number; offset: number }
  | { report: 'realtime'; now: number };

/**
 * A query over several sites. Its answer adds up the results of the sites. A visitor of two sites counts twice, because
 * the person has another visitor code on each site.
 */
export type SitesQuery = SitesReport & {
  /** The days from the first day of any site to the last day of any site. */
  range: Range;
  filters: Filters;
  sites: readonly SiteDays[];
  /** The currency in which revenue is added up. If the query does not ask for revenue, this field is missing. */
  currency?: string | undefined;
  /** Queries of one user run one after another. Otherwise, a user with many sites would delay other users. */
  userId: number;
};

type SiteNotes = Pick<Aggregates, 'leftOut' | 'excluded' | 'untouched'>;

/** The aggregates of all sites together. `bySite` says for each site what its own answer lacks. */
export type SharedMeasured = {
  measured: Aggregates;
  bySite: ({ siteId: number } & SiteNotes & Pick<Aggregates, 'lacks'>)[];
};

/**
 * Says what the answer of this site lacks, as a list with one entry. For most sites, nothing is missing, and the list
 * is empty.
 */
export const listNoted = (siteId: number, { leftOut, excluded, untouched }: SiteNotes): SharedMeasured['bySite'] =>
  leftOut.length + untouched.length > 0 || excluded[0] ? [{ siteId, leftOut, excluded, untouched }] : [];

/**
 * Makes the query for one of the sites, and lists the days that it reads. In a timeseries, the query of every site has
 * all points of the whole range. With different points, the results of the sites could not be added up.
 */
export function askSite(
  { range: whole, filters, currency, sites: _, userId: __, ...asked }: SitesQuery,
  { siteId, range, compared }: SiteDays,
): { query: Query; days: Range[] } {
  const frame = { siteId, range, filters, ...(currency !== undefined && { currency }) };
  if (asked.report === 'timeseries') return { query: { ...frame, ...asked, range: whole }, days: [range] };
  if (asked.report === 'overview') {
    const query: Query = { ...frame, ...asked, compared };
    return { query, days: listRanges(query) };
  }
  const { breakdown } = { breakdown: undefined, ...asked };
  // The rows of this breakdown are sites, therefore only the visitors of each site are needed. A query for goals with
  // an empty list counts only visitors.
  const query: Query =
    breakdown === SITES ? { ...frame, report: 'goals', goals: [] } : ({ ...frame, ...asked } as Query);
  return { query, days: listRanges(query) };
}
