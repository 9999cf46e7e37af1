// Queries over all sites of a user.
// Invariant: each site is queried for its own days. The date of one site may be a day ahead of another.
// Example: 3 sites with 10, 20 and 5 visitors have 35 together. api/all-sites.ts makes these queries. Both engines make
// the query of each site with `askSite`, and add up the results. Test: test/stats/all-sites.test.ts.

import type { Aggregates } from './aggregates.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS, type DimensionName, VISIT_DIMENSIONS } from './dimensions.ts';
import type { Interval } from './interval.ts';
import { type Compared, type Filters, listRanges, type Query, type Range } from './query.ts';

/**
 * One site of a query over several sites. Each site has its own range of days, because its date may be a day ahead of
 * another site's.
 */
export type SiteDays = { siteId: number; domain: string; range: Range; compared?: Compared };

/** The name of the breakdown by site: each row is one site. */
export const SITES = 'sites';

const isOfVisits = (breakdown: Breakdown): boolean =>
  (VISIT_DIMENSIONS as readonly DimensionName[]).includes(BREAKDOWNS[breakdown]);

/**
 * The breakdowns that can be added up over sites, such as countries. A page or an event means something only on its own
 * site.
 */
export const SHARED_BREAKDOWNS = [
  SITES,
  ...Object.values(DIMENSIONS)
    .map((one) => one.breakdown)
    .filter(isOfVisits),
] as [typeof SITES, ...Breakdown[]];

/**
 * The intervals of a timeseries over several sites. `hour` is not among them, because hours of sites in different time
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
 * A query over several sites, whose answers are added up. A visitor of two sites counts twice, because each site has
 * other visitor codes.
 */
export type SitesQuery = SitesReport & {
  /** The days from the first day of any site to the last day of any site. */
  range: Range;
  filters: Filters;
  sites: readonly SiteDays[];
  /** If the query asks for revenue, the currency in which it is added up. */
  currency?: string | undefined;
  /** Queries of one user wait for each other, so that a user with many sites does not delay other users. */
  userId: number;
};

type SiteNotes = Pick<Aggregates, 'leftOut' | 'excluded' | 'untouched'>;

/** The aggregates of all sites together. `bySite` has what the answers of single sites lack. */
export type SharedMeasured = {
  measured: Aggregates;
  bySite: ({ siteId: number } & SiteNotes & Pick<Aggregates, 'lacks'>)[];
};

/** Returns what the answer of one site lacks. For most sites the result is empty. */
export const listNoted = (siteId: number, { leftOut, excluded, untouched }: SiteNotes): SharedMeasured['bySite'] =>
  leftOut.length + untouched.length > 0 || excluded[0] ? [{ siteId, leftOut, excluded, untouched }] : [];

/**
 * Makes the query for one of the sites, and lists the days that it reads. In a timeseries, every site gets the points
 * of the whole range, so that points can be added up.
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
  // The rows are sites, so only the visitors of each site are needed. A query for an empty list of goals counts only
  // visitors.
  const query: Query =
    breakdown === SITES ? { ...frame, report: 'goals', goals: [] } : ({ ...frame, ...asked } as Query);
  return { query, days: listRanges(query) };
}
