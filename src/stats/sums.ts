// This file says which queries can be answered from stored sums, so that no hit is read.
//
// Each past day has stored totals. Each value of a breakdown, such as a page, has stored visitors and hits. So a list
// of pages for 30 days is added up from 30 short lists. Other sums, such as the bounces of each row, are stored only by
// the engine on SQLite. A day of which only totals are stored lacks them. Filters choose visits, so sums cannot answer
// a query with filters. Both engines call `isFromSums` when they plan a query: ledger/query/plan.ts and
// cluster/query/plan.ts.
import { isPattern } from '../lib/pattern.ts';
import type { Target } from '../store/sites/goals.ts';
import type { Breakdown } from './dimensions.ts';
import { findFigure, type SumName } from './metrics.ts';
import type { Of, Query } from './query.ts';

/**
 * The sums that an engine stores for past days, beside totals, visitors and hits. What is not stored must be counted
 * from hits, which is slower.
 */
export type KeptSums = {
  /** Whether the time on pages is stored. */
  times: boolean;
  /** Whether all sums in `names` are stored for each row of the breakdown. */
  hasRowSums(breakdown: Breakdown, names: readonly SumName[]): boolean;
};

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

export const needsTimes = (query: Of<'overview' | 'timeseries'>): boolean =>
  query.report === 'overview' ? query.withTimes === true : (query.metrics ?? []).includes('time_on_page');

/**
 * Lists the sums that the rows of a breakdown need, beside visitors and hits, which are stored for every row. Event
 * labels are an exception: their hits are not stored, so `hits` is listed too.
 */
export function listRowSums({ breakdown, metrics = [] }: Of<'breakdown'>): SumName[] {
  const names = new Set(metrics.flatMap((metric) => findFigure(breakdown, metric)?.needs ?? []));
  if (breakdown !== 'event_labels') names.delete('hits');
  return [...names];
}

/**
 * Tells whether a target is a pattern such as `/blog/*`, which stands for many pages. Adding up the stored sums of
 * these pages would count a visitor of two of them twice.
 */
export const isOfManyPages = ({ type, value }: Target): boolean => type === 'page' && isPattern(value);
