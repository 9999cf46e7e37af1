import { findZone } from '../../lib/zone.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Of, Question } from '../../stats/question.ts';
import { isFromSums, isOfManyPages, type KeptSums, listRowSums, needsTimes } from '../../stats/sums.ts';
import type { Target } from '../../store/sites/goals.ts';
import { byClock, byInstant, type Hours } from '../count/hour-buckets.ts';
import type { Figure } from '../count/totals.ts';
import { areSummed } from '../sealed/row-sums.ts';

/** What a report needs from each day. */
export type Needs = {
  totals: readonly Figure[];
  /** Whether the time on pages. */
  times: boolean;
  counts: readonly Breakdown[];
  /** What is counted of the rows of a breakdown beside visitors, where its rollup does not have it. */
  sums: readonly SumName[];
  reached: readonly Target[];
  steps: readonly Target[];
  /** By these hours. */
  hours: Hours | undefined;
};

const NONE: Needs = { totals: [], times: false, counts: [], sums: [], reached: [], steps: [], hours: undefined };

/** The breakdown that counts goals of a type. */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

const NEEDS: { [Name in Question['report']]: (question: Of<Name>) => Partial<Needs> } = {
  overview: (question) => ({ totals: ['visitors', 'pageviews', 'seconds'], times: needsTimes(question) }),
  timeseries: (question) => ({
    totals: ['visitors', 'pageviews', ...(question.metrics?.includes('visit_duration') ? (['seconds'] as const) : [])],
    times: needsTimes(question),
  }),
  breakdown: (question) => ({ counts: [question.breakdown], sums: listRowSums(question) }),
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

export const needsOf = (question: Question): Needs => ({
  ...NONE,
  ...(NEEDS[question.report] as (question: Question) => Partial<Needs>)(question),
});

/** Each visit with a pageview of some pages is selected by them, so that their rows are those without a filter. */
const isOfTheirRows = ({ filters, ...question }: Question): boolean =>
  question.report === 'breakdown' && question.breakdown === 'pages' && Object.keys(filters).join() === 'page';

const KEPT: KeptSums = { times: true, hasRowSums: areSummed };

/**
 * Whether totals and rollups answer the query, but for a filter that says which of their rows there are. No column is read then, which
 * takes next to no time.
 */
export const isFromRollups = (question: Question): boolean =>
  isFromSums(isOfTheirRows(question) ? { ...question, filters: {} } : question, KEPT);
