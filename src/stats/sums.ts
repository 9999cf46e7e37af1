// Which queries sums can answer, so that no hit is read.
//
// A sealed day has its totals, and of each value of a breakdown its visitors and hits: 30 days of pages are 30 short lists. What an engine
// keeps beside them differs, and a totals-only day has nothing beside them. Filters choose visits, of which sums know nothing. Both
// engines ask here when they plan a query: `ledger/query/plan.ts` and `cluster/query/plan.ts`.
import { isPattern } from '../lib/pattern.ts';
import type { Target } from '../store/sites/goals.ts';
import type { Breakdown } from './dimensions.ts';
import { findFigure, type SumName } from './metrics.ts';
import type { Of, Query } from './query.ts';

/** What an engine keeps of sealed days beside totals, visitors and hits. */
export type KeptSums = {
  /** True if it keeps the time on page. */
  times: boolean;
  /** True if it keeps these sums for each row of a breakdown. */
  hasRowSums(breakdown: Breakdown, names: readonly SumName[]): boolean;
};

/** True if sums answer a query. */
export function isFromSums(query: Query, { times, hasRowSums }: KeptSums): boolean {
  if (Object.keys(query.filters).length > 0) return false;
  switch (query.report) {
    case 'overview':
    case 'timeseries':
      return times || !needsTimes(query);
    case 'breakdown':
      return hasRowSums(query.breakdown, listRowSums(query));
    case 'goals':
      return !query.goals.some(isOfManyPages);
    default:
      return false;
  }
}

/** True if an answer has the time on page. */
export const needsTimes = (query: Of<'overview' | 'timeseries'>): boolean =>
  query.report === 'overview' ? query.withTimes === true : (query.metrics ?? []).includes('time_on_page');

/** Lists the sums that the rows of a breakdown need beside visitors and hits. Rollups have no hits of labels. */
export function listRowSums({ breakdown, metrics = [] }: Of<'breakdown'>): SumName[] {
  const names = new Set(metrics.flatMap((metric) => findFigure(breakdown, metric)?.needs ?? []));
  if (breakdown !== 'event_labels') names.delete('hits');
  return [...names];
}

/** True if a target stands for any number of pages. Sums would count a visitor of two of them twice. */
export const isOfManyPages = ({ type, value }: Target): boolean => type === 'page' && isPattern(value);
