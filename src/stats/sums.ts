// Finds which queries can be answered from stored sums. For such a query, hits are read only for days without current
// sums.
//
// Invariant: filters choose visits, therefore sums cannot answer a query with filters. There is one exception: the
// breakdown by page with a filter by page only (ledger/query/needs.ts).
//
// Example: the visitors of each page in 30 days are added up from 30 rollups. Only the ledger stores row sums, such as
// the bounces of each country. The ledger stores row sums only for days that have hits. Both engines call `isFromSums`:
// ledger/query/needs.ts and cluster/query/day-groups.ts.
import { isPattern } from '../lib/pattern.ts';
import type { Target } from '../store/sites/goals.ts';
import { isStored, type StoredBreakdown } from './dimensions.ts';
import { findFigure, type SumName } from './metrics.ts';
import type { Of, Query } from './query.ts';

/**
 * The sums that an engine stores for sealed days, in addition to totals, visitors and hits. All other sums must be
 * counted from hits, which is slower. `spans` is true if the engine also stores the time on pages and the revenue of
 * each sealed day.
 */
export type KeptSums = {
  spans: boolean;
  /** True if all sums in `names` are stored for each row of the breakdown. */
  hasRowSums(breakdown: StoredBreakdown, names: readonly SumName[]): boolean;
};

export function isFromSums(query: Query, { spans, hasRowSums }: KeptSums): boolean {
  if (Object.keys(query.filters).length > 0) return false;
  switch (query.report) {
    case 'overview':
    case 'timeseries':
      return spans || (!needsTimes(query) && query.currency === undefined);
    case 'breakdown':
      return (
        isStored(query.breakdown) &&
        (query.breakdown === 'event_labels' || query.event === undefined) &&
        hasRowSums(query.breakdown, listRowSums(query))
      );
    case 'goals':
      return query.currency === undefined && !query.goals.some(needsHits);
    default:
      return false;
  }
}

/**
 * True if the query is answered from hits on days that have hits, and from stored sums on totals-only days. For
 * example, channels are worked out from hits, and their sums are stored when a day loses its hits. A cluster also
 * counts revenue in this way.
 */
export const isFromTotalsOnly = (query: Query): boolean =>
  Object.keys(query.filters).length === 0 &&
  (query.report === 'breakdown'
    ? !isStored(query.breakdown) && listRowSums(query).length === 0
    : isOfSpans(query) && query.currency !== undefined && !needsTimes(query));

const isOfSpans = (query: Query): query is Of<'overview' | 'timeseries'> =>
  query.report === 'overview' || query.report === 'timeseries';

export const needsTimes = (query: Of<'overview' | 'timeseries'>): boolean =>
  query.report === 'overview' ? query.withTimes === true : (query.metrics ?? []).includes('time_on_page');

/**
 * Lists the sums that the rows of a breakdown need, in addition to visitors and hits. The number of hits of an event
 * label is not stored, so for this breakdown `hits` is listed too.
 */
export function listRowSums({ breakdown, metrics = [] }: Of<'breakdown'>): SumName[] {
  const names = new Set(metrics.flatMap((metric) => findFigure(breakdown, metric)?.needs ?? []));
  if (breakdown !== 'event_labels') names.delete('hits');
  return [...names];
}

/**
 * True if stored sums cannot count a target, which is the page or event of a goal. A pattern such as `/blog/*` means
 * many pages. The sum of these pages would count a visitor of two pages twice. A target with a property or a depth
 * counts only some hits of its page or event.
 */
export const needsHits = ({ type, value, property, scroll }: Target): boolean =>
  property !== undefined || scroll !== undefined || (type === 'page' && isPattern(value));
