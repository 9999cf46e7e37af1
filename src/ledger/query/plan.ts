import { isPattern } from '../../lib/pattern.ts';
import { zoneOf } from '../../lib/zone.ts';
import type { Breakdown } from '../../stats/dimensions.ts';
import { figureOf, type SumName } from '../../stats/metrics.ts';
import { isOfNow, type Of, type Question } from '../../stats/question.ts';
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

/** Rollups have the hits of pages and of events, not those of labels. */
function sumsOf({ breakdown, metrics = [] }: Of<'breakdown'>): SumName[] {
  const names = new Set(metrics.flatMap((metric) => figureOf(breakdown, metric)?.needs ?? []));
  if (breakdown !== 'event_labels') names.delete('hits');
  return [...names];
}

/** True for a target that stands for any number of pages. */
export const isOfPages = ({ type, value }: Target): boolean => type === 'page' && isPattern(value);

/** The breakdown that counts goals of a type. */
export const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

const NEEDS: { [Name in Question['report']]: (question: Of<Name>) => Partial<Needs> } = {
  overview: ({ withTimes = false }) => ({ totals: ['visitors', 'pageviews', 'seconds'], times: withTimes }),
  timeseries: ({ metrics = [] }) => ({
    totals: ['visitors', 'pageviews', ...(metrics.includes('visit_duration') ? (['seconds'] as const) : [])],
    times: metrics.includes('time_on_page'),
  }),
  breakdown: (question) => ({ counts: [question.breakdown], sums: sumsOf(question) }),
  goals: ({ goals }) => ({
    totals: ['visitors'],
    counts: [...new Set(goals.map(({ type }) => GOALS[type]))],
    reached: goals.filter(isOfPages),
  }),
  funnel: ({ steps }) => ({ steps }),
  hourly: ({ timeZone }) => ({ hours: byInstant(zoneOf(timeZone)) }),
  hours: ({ timeZone }) => ({ hours: byClock(zoneOf(timeZone)) }),
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

/**
 * True if totals and rollups answer the question, but for a filter that says which of their rows there are. It then takes next to no
 * time, because no column is read; but for days that an older version sealed, where it asks for more than visitors.
 */
export function isFromRollups(question: Question): boolean {
  const { steps, hours, reached, counts, sums } = needsOf(question);
  const isOfColumns =
    hours !== undefined ||
    steps.length + reached.length > 0 ||
    counts.some((name) => !areSummed(name, sums)) ||
    isOfNow(question);
  return !isOfColumns && (Object.keys(question.filters).length === 0 || isOfTheirRows(question));
}
