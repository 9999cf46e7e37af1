// Lists the needs of a query: what to count on each day, such as totals, breakdowns, goals, steps or hours.
//
// Invariant: a scan counts only what the needs list. Tables, journeys and revenue are exceptions, which scan.ts takes
// from the query itself.
//
// Example: the goals "page /signup" and "event buy" need the total of visitors, and the counts of pages and events. The
// goal "page /blog/*" stands for many pages. If the visitors of these pages were added up, some visitors would count
// twice. So this goal is counted separately. scan.ts calls `listNeeds`. measure.ts, all-sites.ts and queries.ts call
// `isFromRollups`.
import { findZone } from '../../lib/zone.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { findFigureOf, type SumName } from '../../stats/metrics.ts';
import type { Of, Query } from '../../stats/query.ts';
import { isFromSums, type KeptSums, listRowSums, needsHits, needsTimes } from '../../stats/sums.ts';
import { chooseTableCounts } from '../../stats/table-keys.ts';
import type { VitalsBy } from '../../stats/vitals.ts';
import type { Target } from '../../store/sites/goals.ts';
import { byClock, byInstant, type Hours } from '../count/hour-buckets.ts';
import type { Figure } from '../count/totals.ts';
import { areSummed } from '../sealed/row-sums.ts';

export type Needs = {
  totals: readonly Figure[];
  times: boolean;
  counts: readonly Breakdown[];
  /** The row figures that the query needs, such as `bounces`. */
  sums: readonly SumName[];
  reached: readonly Target[];
  /** The goals whose revenue the query asks for. */
  earning: readonly Target[];
  steps: readonly Target[];
  /** The hours to count by. Undefined if the query does not ask for hours. */
  hours: Hours | undefined;
  /**
   * What the rows of a report of web vitals stand for, such as pages. Undefined if the query does not ask for web
   * vitals.
   */
  vitals: VitalsBy | undefined;
};

const NONE: Needs = {
  totals: [],
  times: false,
  counts: [],
  sums: [],
  reached: [],
  earning: [],
  steps: [],
  hours: undefined,
  vitals: undefined,
};

/**
 * The breakdown that counts each type of goal. The goal "page /signup" is a row of the breakdown by page. The goal
 * "event buy" is a row of the breakdown by event. Most goals therefore need no separate count.
 */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

export const listNeeds = (query: Query): Needs => ({
  ...NONE,
  ...(NEEDS[query.report] as (query: Query) => Partial<Needs>)(query),
});

/**
 * True if stored sums of sealed days can answer the query. Columns are then read only for days without current sums, so
 * the query takes almost no time.
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
  table: (query) => ({
    sums: [...new Set(query.metrics.flatMap((metric) => findFigureOf(chooseTableCounts(query), metric)?.needs ?? []))],
  }),
  goals: ({ goals, currency }) => ({
    totals: ['visitors'],
    counts: [...new Set(goals.map(({ type }) => GOALS[type]))],
    reached: goals.filter(needsHits),
    earning: currency === undefined ? [] : goals,
  }),
  funnel: ({ steps }) => ({ steps }),
  hourly: ({ timeZone }) => ({ hours: byInstant(findZone(timeZone)) }),
  hours: ({ timeZone }) => ({ hours: byClock(findZone(timeZone)) }),
  vitals: ({ by }) => ({ vitals: by }),
  journeys: () => ({}),
  realtime: () => ({}),
  live: () => ({}),
};

/**
 * True for the breakdown by page if pages are the only filter. Every visit with a pageview of these pages passes the
 * filter. The rows of these pages are therefore the same as in the unfiltered breakdown.
 */
const isOfTheirRows = ({ filters, ...query }: Query): boolean =>
  query.report === 'breakdown' && query.breakdown === 'pages' && Object.keys(filters).join() === 'page';

const KEPT: KeptSums = { spans: true, hasRowSums: areSummed };
