// Adds up totals of days to totals of spans. A span is a point of a chart, or a period that is compared with another
// period.
//
// Invariant: the whole day counts, with one exception. Today may be compared with an earlier day. Then only visits up
// to the current time of day count on that earlier day. A totals-only day has no visits, so it still counts as a whole.
//
// Example: it is Wednesday 10:00, and this week is compared with last week. So the visits of last Wednesday count until
// 10:00. measure.ts calls `countSpans`.
import { type Aggregates, noTimes, noTotals, TOTALS, type Totals } from '../../stats/aggregates.ts';
import { findCut, listRanges, listSpans, type Of, type Range } from '../../stats/query.ts';
import { needsTimes } from '../../stats/sums.ts';
import { type CountVisits, countPageviews, IS_BOUNCE, type Scope, VISITOR, type VisitSelection } from './aggregate.ts';
import type { DayGroups } from './day-groups.ts';
import { overHits } from './filters.ts';

type DayTotals = Totals & { day: number; seen: number; told: number };

export async function countSpans(
  count: CountVisits,
  query: Of<'overview' | 'timeseries'>,
  { where, counted }: VisitSelection,
  { summed }: DayGroups,
): Promise<Partial<Aggregates>> {
  const withTimes = needsTimes(query);
  const cut = findCut(query);
  const cutDays = cut ? [{ from: cut.day, to: cut.day + 1 }] : [];
  const [days, cutOnes] = await Promise.all([
    countTotals(count, { ranges: listRanges(query), where }, counted, withTimes),
    cut ? countTotals(count, { ranges: cutDays, where, until: cut.until }, counted, withTimes) : [],
  ]);
  const known = [...days, ...summed.map((slice) => ({ ...slice, ...noTimes() }))];
  // A totals-only day cannot be counted up to a time of day. The whole day is compared instead.
  const whole = summed.filter(({ day, hasHits }) => day === cut?.day && hasHits === 0);
  const ofCut = [...cutOnes, ...whole.map((slice) => ({ ...slice, ...noTimes() }))];
  const all = listSpans(query).map((span, i) =>
    addDays([...filterByRange(known, span), ...(cut && i === 1 ? ofCut : [])]),
  );
  return { totals: all.map(({ totals }) => totals), times: all.map(({ times }) => times) };
}

/**
 * Makes SQL that lists, for a visit, for how many seconds each of its pages was visible. Unknown times are stored as 0.
 * They are left out, so they do not lower the average.
 */
const selectSeen = (counted: string): string => overHits('arrayFilter', `n > 0 AND e = '' AND ${counted}`);

async function countTotals(
  count: CountVisits,
  scope: Scope,
  counted: string,
  withTimes: boolean,
): Promise<DayTotals[]> {
  return await count<DayTotals>(scope, {
    keys: { day: 'day' },
    sums: {
      visitors: `uniqExact(${VISITOR})`,
      visits: 'count()',
      pageviews: `sum(${countPageviews(counted)})`,
      events: 'sum(events)',
      bounces: `countIf(${IS_BOUNCE})`,
      seconds: 'sum(seconds)',
      seen: withTimes ? `sum(arraySum(${selectSeen(counted)}))` : '0',
      told: withTimes ? `sum(length(${selectSeen(counted)}))` : '0',
    },
  });
}

const filterByRange = (days: readonly DayTotals[], { from, to }: Range) =>
  days.filter(({ day }) => day >= from && day < to);

function addDays(days: readonly DayTotals[]): { totals: Totals; times: { seen: number; told: number } } {
  const [totals, times] = [noTotals(), noTimes()];
  for (const day of days) {
    for (const name of TOTALS) totals[name] += day[name];
    times.seen += day.seen;
    times.told += day.told;
  }
  return { totals, times };
}
