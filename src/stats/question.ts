import type { Dimension } from '../ledger/dimensions.ts';
import type { Target } from '../store/goals.ts';

/** By which visits are selected, and by `page` hits. */
export const VISIT_FILTERS = [
  'entry',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'device',
  'browser',
  'os',
] as const;
export type Filters = Partial<Record<(typeof VISIT_FILTERS)[number] | 'page' | 'event', string>> & { goal?: Target };

/** Days since 1970, the last one not included. */
export type Range = { from: number; to: number };

type Asked =
  | { report: 'overview' }
  | { report: 'timeseries' }
  | { report: 'breakdown'; breakdown: Dimension; event?: string | undefined; limit: number }
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  | { report: 'hours' }
  | { report: 'realtime'; now: number };

/** What is asked. Everything in it has been checked, and texts are as they are stored. */
export type Question = Asked & { siteId: number; range: Range; filters: Filters };

/** As many days, which end the day before. */
export const previous = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

/** The days that must be looked at: of a report that compares, those before too; of what happens now, none. */
export function spanOf({ report, range }: Question): Range {
  if (report === 'realtime') return { from: range.from, to: range.from };
  return report === 'overview' ? { from: previous(range).from, to: range.to } : range;
}
