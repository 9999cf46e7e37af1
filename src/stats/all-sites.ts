import { BREAKDOWNS, type Breakdown, DIMENSIONS, type DimensionName, VISIT_TEXT_FIELDS } from './dimensions.ts';
import type { Interval } from './interval.ts';
import type { Measured } from './measured.ts';
import { type Compared, type Filters, listRanges, type Question, type Range } from './question.ts';

/** One of several sites that are asked about together, over days of its own; they may be compared with others of its own. */
export type SiteDays = { siteId: number; domain: string; range: Range; compared?: Compared };

/** The breakdown whose rows are the sites. */
export const SITES = 'sites';

const isOfVisits = (breakdown: Breakdown): boolean =>
  (VISIT_TEXT_FIELDS as readonly DimensionName[]).includes(BREAKDOWNS[breakdown]);

/** What a visit has is the same on every site; pages, events and goals are those of one. */
export const SHARED_BREAKDOWNS = [
  SITES,
  ...Object.values(DIMENSIONS)
    .map((one) => one.breakdown)
    .filter(isOfVisits),
] as [typeof SITES, ...Breakdown[]];

/** Hours are those of one zone. */
export const SHARED_INTERVALS = ['day', 'week', 'month'] as const satisfies Interval[];
type SharedInterval = (typeof SHARED_INTERVALS)[number];

type Asked =
  | { report: 'overview' }
  | { report: 'timeseries'; interval?: SharedInterval | undefined }
  | { report: 'breakdown'; breakdown: Breakdown | typeof SITES; limit: number; offset: number }
  | { report: 'realtime'; now: number };

/** A question about several sites, whose answers are added up. Nobody is a visitor of two sites. */
export type SharedQuestion = Asked & {
  /** All days that any of the sites is asked about. */
  range: Range;
  filters: Filters;
  sites: readonly SiteDays[];
  /** Whose questions take turns with those of others. */
  userId: number;
};

type SiteNotes = Pick<Measured, 'leftOut' | 'aside' | 'untouched'>;

/** What was counted of all of them, and what is to be said of some. */
export type SharedMeasured = {
  measured: Measured;
  bySite: ({ siteId: number } & SiteNotes & Pick<Measured, 'lacks'>)[];
};

/** What is to be said of one of the sites, as a list: most have nothing. */
export const listNoted = (siteId: number, { leftOut, aside, untouched }: SiteNotes): SharedMeasured['bySite'] =>
  leftOut.length + untouched.length > 0 || aside[0] ? [{ siteId, leftOut, aside, untouched }] : [];

/** What one of the sites is asked, and the days that are read for it. The points of all timeseries are the same. */
export function askSite(
  { range: whole, filters, sites: _, userId: __, ...asked }: SharedQuestion,
  { siteId, range, compared }: SiteDays,
): { question: Question; days: Range[] } {
  const frame = { siteId, range, filters };
  if (asked.report === 'timeseries') return { question: { ...frame, ...asked, range: whole }, days: [range] };
  if (asked.report === 'overview') {
    const question: Question = { ...frame, ...asked, compared };
    return { question, days: listRanges(question) };
  }
  const { breakdown } = { breakdown: undefined, ...asked };
  // Goals without any goal are the visitors, and nothing else is counted for them.
  const question: Question =
    breakdown === SITES ? { ...frame, report: 'goals', goals: [] } : ({ ...frame, ...asked } as Question);
  return { question, days: listRanges(question) };
}
