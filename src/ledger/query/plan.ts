// The plan of a query says what is needed of each day: totals, counts of breakdowns (lists such as pages), goals, steps
// or hours.
// Invariant: only what the plan names is counted. The query alone decides whether stored sums can answer it.
//
// Example: goals "page /signup" and "event buy" need the total of visitors, and counts of pages and events. A goal
// "page /blog/*" stands for many pages. Adding up these pages would count some visitors twice, so the goal gets a count
// of its own.
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
  /** True if the query needs the seconds for which pages were visible. */
  times: boolean;
  counts: readonly Breakdown[];
  /**
   * The sums that the query needs for each row of a list such as countries, other than visitors and hits. An example is
   * `bounces`.
   */
  sums: readonly SumName[];
  reached: readonly Target[];
  steps: readonly Target[];
  /** Says to which hour of a time zone each hit belongs. Undefined if the query does not ask for hours. */
  hours: Hours | undefined;
};

const NONE: Needs = { totals: [], times: false, counts: [], sums: [], reached: [], steps: [], hours: undefined };

/**
 * A goal such as page /signup is a row of the list of pages. A goal such as event buy is a row of the list of events.
 * So most goals need no count of their own.
 */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

export const planNeeds = (query: Query): Needs => ({
  ...NONE,
  ...(NEEDS[query.report] as (query: Query) => Partial<Needs>)(query),
});

/**
 * True if stored sums of past days answer the query: totals, and rollups, which have the counts of each page, country
 * and so on. Then no column of these days is read, and the query takes almost no time.
 */
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
 * True if a query asks for the list of pages and filters by pages only. Its rows are rows of the unfiltered list, with
 * the same counts: every visit with a pageview of these pages passes the filter. So stored counts of pages answer the
 * query too.
 */
const isOfTheirRows = ({ filters, ...query }: Query): boolean =>
  query.report === 'breakdown' && query.breakdown === 'pages' && Object.keys(filters).join() === 'page';

const KEPT: KeptSums = { times: true, hasRowSums: areSummed };
