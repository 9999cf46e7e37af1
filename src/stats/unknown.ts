import { type Lack, PERSONS, UNKNOWN_TOTALS, type UnknownSum, type UnknownTotal } from './aggregates.ts';
import { REVENUE } from './dimensions.ts';
import { findCut, listSpans, type Query } from './query.ts';

/**
 * A day for which the sums in `names` are unknown. Its import lacked them, or its columns were damaged when retention
 * deleted its hits.
 */
export type UnknownDay = { day: number; names: readonly UnknownSum[]; visitors: number };

/** Lists the sums that an answer lacks, because an import lacked them for some days. */
export const listLacks = (query: Query, days: readonly UnknownDay[]): Lack[] =>
  [...listNeeds(query), ...(query.currency === undefined ? [] : [REVENUE_NEED])].flatMap(([what, name]) => {
    const own = days.filter(({ names }) => names.includes(name));
    const visitors = own.reduce((sum, one) => sum + one.visitors, 0);
    return own.length === 0 ? [] : [{ what, days: own.map(({ day }) => day), visitors }];
  });

const REVENUE_NEED: [Lack['what'], UnknownSum] = [REVENUE, REVENUE];

/**
 * Lists the sums that the query needs and that an import may lack. An entry has the name for the notice first, and then
 * the name of the sum.
 */
function listNeeds(query: Query): [Lack['what'], UnknownSum][] {
  switch (query.report) {
    case 'overview':
      return [...UNKNOWN_TOTALS, PERSONS].map((name) => [name, name]);
    case 'timeseries':
      return [
        [PERSONS, PERSONS] as const,
        ...(query.metrics?.includes('bounce_rate') ? [['bounces', 'bounces'] as const] : []),
        ...(query.metrics?.includes('visit_duration') ? [['seconds', 'seconds'] as const] : []),
      ].map(([what, name]) => [what, name]);
    case 'breakdown':
      return [['rows', query.breakdown]];
    case 'goals':
      return [
        ['page', 'pages'],
        ['event', 'events'],
      ].filter(([type]) => query.goals.some((goal) => goal.type === type)) as [Lack['what'], UnknownSum][];
    default:
      return [];
  }
}

/** For each span of the query, lists the totals (and the revenue) that are unknown on at least one day of the span. */
export function listUnknownTotals(query: Query, days: readonly UnknownDay[]): (UnknownTotal | typeof REVENUE)[][] {
  const cut = findCut(query);
  return listSpans(query).map(({ from, to }, i) => {
    // In the earlier range of an overview, the last day may count only up to a time of day. A totals-only day cannot be
    // divided, so it counts whole and is included here.
    const end = cut && i === 1 ? cut.day + 1 : to;
    const names = new Set(days.filter(({ day }) => day >= from && day < end).flatMap((one) => one.names));
    return [...UNKNOWN_TOTALS, REVENUE].filter((name) => names.has(name));
  });
}
