// The plan of a query says what is needed of each day: totals, counts of breakdowns, goals, steps or hours.
// Invariant: what the plan does not name is not counted. Whether sums can answer follows from the query alone.
//
// Example: goals "page /signup" and "event buy" need totals of visitors and counts of pages and events. A goal "page /blog/*" stands for
// many pages, and is counted by itself.
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

/** What a report needs of each day. */
export type Needs = {
  totals: readonly Figure[];
  /** Whether the time on pages is needed. */
  times: boolean;
  counts: readonly Breakdown[];
  /** Sums of the rows of a breakdown that its rollup does not have, such as bounces. */
  sums: readonly SumName[];
  reached: readonly Target[];
  steps: readonly Target[];
  /** How hits are sorted into hours. */
  hours: Hours | undefined;
};

const NONE: Needs = { totals: [], times: false, counts: [], sums: [], reached: [], steps: [], hours: undefined };

/** The breakdown that counts goals of a type. */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

export const planNeeds = (query: Query): Needs => ({
  ...NONE,
  ...(NEEDS[query.report] as (query: Query) => Partial<Needs>)(query),
});

/** Whether totals and rollups answer the query, perhaps with a choice of rows. No column is read then, which takes next to no time. */
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
 * Whether a query filters the list of pages by pages alone. Its rows are then rows of the unfiltered list: the filter selects each
 * visit with a pageview of them.
 */
const isOfTheirRows = ({ filters, ...query }: Query): boolean =>
  query.report === 'breakdown' && query.breakdown === 'pages' && Object.keys(filters).join() === 'page';

const KEPT: KeptSums = { times: true, hasRowSums: areSummed };
