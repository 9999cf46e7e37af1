// Queries about several sites at once.
//
// Each site is asked over its own days, because one may be a day ahead of another, and the aggregates are added up. For example, 3 sites
// with 10, 20 and 5 visitors have 35 together. Both engines split a query by `askSite` and add up in `query/all-sites.ts` of their own.
// The API calls it in `api/all-sites.ts`. Test: test/stats/all-sites.test.ts.

import type { Aggregates } from './aggregates.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS, type DimensionName, VISIT_TEXT_FIELDS } from './dimensions.ts';
import type { Interval } from './interval.ts';
import { type Compared, type Filters, listRanges, type Query, type Range } from './query.ts';

/** One of the sites with its own days, and days to compare with. */
export type SiteDays = { siteId: number; domain: string; range: Range; compared?: Compared };

/** The breakdown whose rows are the sites. */
export const SITES = 'sites';

const isOfVisits = (breakdown: Breakdown): boolean =>
  (VISIT_TEXT_FIELDS as readonly DimensionName[]).includes(BREAKDOWNS[breakdown]);

/** The breakdowns that sites share, such as countries. Pages, events and goals belong to one site. */
export const SHARED_BREAKDOWNS = [
  SITES,
  ...Object.values(DIMENSIONS)
    .map((one) => one.breakdown)
    .filter(isOfVisits),
] as [typeof SITES, ...Breakdown[]];

/** The intervals that sites share. Hours belong to one zone, and sites may have several zones. */
export const SHARED_INTERVALS = ['day', 'week', 'month'] as const satisfies Interval[];
type SharedInterval = (typeof SHARED_INTERVALS)[number];

type SitesReport =
  | { report: 'overview' }
  | { report: 'timeseries'; interval?: SharedInterval | undefined }
  | { report: 'breakdown'; breakdown: Breakdown | typeof SITES; limit: number; offset: number }
  | { report: 'realtime'; now: number };

/** A query about several sites, whose answers are added up. A visitor code is of one site, so no visitor counts twice. */
export type SitesQuery = SitesReport & {
  /** All days about which any of the sites is asked. */
  range: Range;
  filters: Filters;
  sites: readonly SiteDays[];
  /** Queries of a user take turns with queries of other users. */
  userId: number;
};

type SiteNotes = Pick<Aggregates, 'leftOut' | 'excluded' | 'untouched'>;

/** The aggregates of all sites together, and what the answers of some sites lack. */
export type SharedMeasured = {
  measured: Aggregates;
  bySite: ({ siteId: number } & SiteNotes & Pick<Aggregates, 'lacks'>)[];
};

/** What the answer about one site lacks, as a list. Most sites lack nothing. */
export const listNoted = (siteId: number, { leftOut, excluded, untouched }: SiteNotes): SharedMeasured['bySite'] =>
  leftOut.length + untouched.length > 0 || excluded[0] ? [{ siteId, leftOut, excluded, untouched }] : [];

/** Makes the query to one of the sites, and lists the days that it reads. Timeseries of all sites have the points of the whole range. */
export function askSite(
  { range: whole, filters, sites: _, userId: __, ...asked }: SitesQuery,
  { siteId, range, compared }: SiteDays,
): { query: Query; days: Range[] } {
  const frame = { siteId, range, filters };
  if (asked.report === 'timeseries') return { query: { ...frame, ...asked, range: whole }, days: [range] };
  if (asked.report === 'overview') {
    const query: Query = { ...frame, ...asked, compared };
    return { query, days: listRanges(query) };
  }
  const { breakdown } = { breakdown: undefined, ...asked };
  // Goals without any goal count visitors alone.
  const query: Query =
    breakdown === SITES ? { ...frame, report: 'goals', goals: [] } : ({ ...frame, ...asked } as Query);
  return { query, days: listRanges(query) };
}
