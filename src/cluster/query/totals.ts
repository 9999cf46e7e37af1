// Totals of days are added up to totals of spans. A span is a point of a chart, or a week that is compared with another.
//
// Invariant: a day counts whole, unless the query cuts it: then its visits count up to the second that today has reached.
//
// Example: today is Wednesday 10:00, and the week is compared with the week before. Wednesday of that week counts until 10:00.
//
// measure.ts calls `countSpans`.
import { type Aggregates, noTimes, noTotals, TOTALS, type Totals } from '../../stats/aggregates.ts';
import { findCut, listRanges, listSpans, type Of, type Range } from '../../stats/query.ts';
import { needsTimes } from '../../stats/sums.ts';
import { type CountVisits, countPageviews, IS_BOUNCE, type Scope, VISITOR, type VisitSelection } from './aggregate.ts';
import type { DayPlan } from './plan.ts';

type DayTotals = Totals & { day: number; seen: number; told: number };

/** Counts the totals of each span of a query. */
export async function countSpans(
  count: CountVisits,
  query: Of<'overview' | 'timeseries'>,
  { where, counted }: VisitSelection,
  { summed }: DayPlan,
): Promise<Partial<Aggregates>> {
  const withTimes = needsTimes(query);
  const cut = findCut(query);
  const cutDays = cut ? [{ from: cut.day, to: cut.day + 1 }] : [];
  const [days, cutOnes] = await Promise.all([
    countTotals(count, { ranges: listRanges(query), where }, counted, withTimes),
    cut ? countTotals(count, { ranges: cutDays, where, until: cut.until }, counted, withTimes) : [],
  ]);
  const known = [...days, ...summed.map((slice) => ({ ...slice, ...noTimes() }))];
  // A totals-only day cannot be cut, so all of it is compared.
  const whole = summed.filter(({ day, hasHits }) => day === cut?.day && hasHits === 0);
  const ofCut = [...cutOnes, ...whole.map((slice) => ({ ...slice, ...noTimes() }))];
  const all = listSpans(query).map((span, i) =>
    addDays([...filterByRange(known, span), ...(cut && i === 1 ? ofCut : [])]),
  );
  return { totals: all.map(({ totals }) => totals), times: all.map(({ times }) => times) };
}

/** An expression for the seconds for which the pages of counted pageviews were seen. */
const selectSeen = (counted: string): string =>
  `arrayFilter((n, p, e) -> n > 0 AND e = '' AND ${counted}, h_seen, h_page, h_event)`;

/** Counts the totals of each day. */
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
