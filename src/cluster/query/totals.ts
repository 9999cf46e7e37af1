import { type Measured, noTimes, noTotals, TOTALS, type Totals } from '../../stats/measured.ts';
import { findCut, listRanges, listSpans, type Of, type Range } from '../../stats/question.ts';
import { needsTimes } from '../../stats/sums.ts';
import { type Count, IS_BOUNCE, pageviewsThat, type Reach, type Selection, VISITOR } from './aggregate.ts';
import type { Plan } from './plan.ts';

const seenThat = (counted: string): string =>
  `arrayFilter((n, p, e) -> n > 0 AND e = '' AND ${counted}, h_seen, h_page, h_event)`;

type DayTotals = Totals & { day: number; seen: number; told: number };

/** The totals of days. */
async function totalsOf(count: Count, reach: Reach, counted: string, withTimes: boolean): Promise<DayTotals[]> {
  return await count<DayTotals>(reach, {
    keys: { day: 'day' },
    sums: {
      visitors: `uniqExact(${VISITOR})`,
      visits: 'count()',
      pageviews: `sum(${pageviewsThat(counted)})`,
      events: 'sum(events)',
      bounces: `countIf(${IS_BOUNCE})`,
      seconds: 'sum(seconds)',
      seen: withTimes ? `sum(arraySum(${seenThat(counted)}))` : '0',
      told: withTimes ? `sum(length(${seenThat(counted)}))` : '0',
    },
  });
}

const inRange = (days: readonly DayTotals[], { from, to }: Range) => days.filter(({ day }) => day >= from && day < to);

function spanTotals(days: readonly DayTotals[]): { totals: Totals; times: { seen: number; told: number } } {
  const [totals, times] = [noTotals(), noTimes()];
  for (const day of days) {
    for (const name of TOTALS) totals[name] += day[name];
    times.seen += day.seen;
    times.told += day.told;
  }
  return { totals, times };
}

export async function spans(
  count: Count,
  question: Of<'overview' | 'timeseries'>,
  { where, counted }: Selection,
  { summed }: Plan,
): Promise<Partial<Measured>> {
  const withTimes = needsTimes(question);
  const cut = findCut(question);
  const cutDays = cut ? [{ from: cut.day, to: cut.day + 1 }] : [];
  const [days, cutOnes] = await Promise.all([
    totalsOf(count, { ranges: listRanges(question), where }, counted, withTimes),
    cut ? totalsOf(count, { ranges: cutDays, where, until: cut.until }, counted, withTimes) : [],
  ]);
  const known = [...days, ...summed.map((part) => ({ ...part, ...noTimes() }))];
  // A day with sums only cannot be cut, and is compared with whole.
  const whole = summed.filter(({ day, hasHits }) => day === cut?.day && hasHits === 0);
  const ofCut = [...cutOnes, ...whole.map((part) => ({ ...part, ...noTimes() }))];
  const all = listSpans(question).map((span, i) =>
    spanTotals([...inRange(known, span), ...(cut && i === 1 ? ofCut : [])]),
  );
  return { totals: all.map(({ totals }) => totals), times: all.map(({ times }) => times) };
}
