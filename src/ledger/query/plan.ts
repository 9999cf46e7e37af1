// The plan of a query says what is needed of each day: totals, counts of breakdowns, goals, steps or hours.
// Invariant: only what the plan names is counted. The query alone decides whether stored sums can answer it.
//
// Example: goals "page /signup" and "event buy" need the total of visitors, and counts of pages and events. A goal "page /blog/*" stands
// for many pages, so it gets a count of its own.
// Called by scan.ts, from-sums.ts and queries.ts.
import { findZone } from '../../lib/zone.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Of, Query } from '../../stats/query.ts';
import { isFromSums, isOfManyPages, type KeptSums, listRowSums, needsTimes } from '../../stats/sums.ts';
import type { Target } from '../../store/sites/goals.ts';
import { byClock, byInstant, type Hours } from '../count/hour-buckets.ts';
import type { Figure } from '../count/totals.ts';
import { areSummed } from '../sealed/row-sums.ts';

export type Needs = {
  totals: readonly Figure[];
  /** True if the time on pages is needed. */
  times: boolean;
  counts: readonly Breakdown[];
  /** Sums for each row of a breakdown beside visitors and hits, such as bounces. */
  sums: readonly SumName[];
  reached: readonly Target[];
  steps: readonly Target[];
  /** The hours into which hits are sorted. Undefined if no hours are needed. */
  hours: Hours | undefined;
};

const NONE: Needs = { totals: [], times: false, counts: [], sums: [], reached: [], steps: [], hours: undefined };

/** Goals of a page are counted by the breakdown of pages, goals of an event by the breakdown of events. */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

export const planNeeds = (query: Query): Needs => ({
  ...NONE,
  ...(NEEDS[query.report] as (query: Query) => Partial<Needs>)(query),
});

/** True if totals and rollups answer the query. Then no column is read, and the query takes almost no time. */
export const isFromRollups = (query: Query): boolean =>
  isFromSums(isOfTheirRows(query) ? { ...query, filters: {} } : query, KEPT);

const NEEDS: { [Name in Query['report']]: (query: Of<Name>) => Partial<Needs> } = {
  overview: (query) => ({ totals: ['visitors', 'pageviews', 'seconds'], times: needsTimes(query) }),
  timeseries: (query) => ({
    totals: ['visitors', 'pageviews', ...(query.metrics?.includes('visit_duration') ? (['seconds'] as const) : [])],
    times: needsTimes(query),
  }),
  breakdown: (query) => ({ counts: [query.breakdown], sums: listRowSums(query) }),
  goals: ({ goals }) => ({
    totals: ['visitors'],
    counts: [...new Set(goals.map(({ type }) => GOALS[type]))],
    reached: goals.filter(isOfManyPages),
  }),
  funnel: ({ steps }) => ({ steps }),
  hourly: ({ timeZone }) => ({ hours: byInstant(findZone(timeZone)) }),
  hours: ({ timeZone }) => ({ hours: byClock(findZone(timeZone)) }),
  realtime: () => ({}),
  live: () => ({}),
};

/**
 * True if a query for the list of pages has only a filter by pages. The rows of such a query are some rows of the unfiltered list, because
 * each visit with a pageview of these pages is selected.
 */
const isOfTheirRows = ({ filters, ...query }: Query): boolean =>
  query.report === 'breakdown' && query.breakdown === 'pages' && Object.keys(filters).join() === 'page';

const KEPT: KeptSums = { times: true, hasRowSums: areSummed };
