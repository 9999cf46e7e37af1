// Says what an answer lacks: days, visits that exclusions leave out, and revenue.
//
// Invariant: a notice is a code with values. The code that shows the notice to a reader writes the sentence of the
// notice.
//
// Example: an exclusion leaves out 5 visits. The answer then has the notice `visits_excluded` with { visits: 5,
// exclusions: 1 }. reports.ts adds the notices to each answer.
import { type Coded, coded, type DaySpan } from '../lang/coded.ts';
import { parseDay } from '../lib/time.ts';
import type { Aggregates } from './aggregates.ts';
import { MOST_AMOUNTS_OF_DAY, OTHER } from './dimensions.ts';
import { writeDate } from './interval.ts';
import type { Report } from './query.ts';
import { type Amounts, addAmounts } from './revenue.ts';

/**
 * Groups days into periods, each with its first and its last date. Neighbouring days are one period, because that is
 * shorter to read.
 */
export function listDaySpans(days: readonly number[]): DaySpan[] {
  const sortedDays = days.toSorted((a, b) => a - b);
  const starts = sortedDays.filter((day, i) => day - 1 !== sortedDays[i - 1]);
  const ends = sortedDays.filter((day, i) => day + 1 !== sortedDays[i + 1]);
  return starts.map((start, i) => ({ from: writeDate(start), to: writeDate(ends[i] as number) }));
}

type Said = Partial<Pick<Aggregates, 'leftOut' | 'excluded' | 'untouched' | 'lacks'>>;

/** Lists what an answer lacks. For most answers, the list is empty. */
export function listNotices({ leftOut = [], excluded = {}, untouched = [], lacks = [] }: Said): Coded[] {
  const { 0: visits = 0, ...byExclusion } = excluded;
  const exclusions = Object.values(byExclusion).filter((count) => count !== 0).length;
  return [
    ...(leftOut.length > 0 ? [coded('left_out', { days: listDaySpans(leftOut) })] : []),
    ...lacks.map(({ what, days }) => coded(`${what}_unknown`, { days: listDaySpans(days) })),
    ...(visits > 0 ? [coded('visits_excluded', { visits, exclusions })] : []),
    ...(untouched.length > 0 ? [coded('nothing_excluded', { days: listDaySpans(untouched) })] : []),
  ];
}

/**
 * Joins the notices of two answers about two periods. One notice names the days that are left out of either answer,
 * each day once. All other notices of `other` are dropped.
 */
export function joinLeftOut(own: readonly Coded[], other: readonly Coded[]): Coded[] {
  const days = [...own, ...other]
    .filter(isLeftOut)
    .flatMap(({ values }) => (values.days as DaySpan[]).flatMap(({ from, to }) => listDaysBetween(from, to)));
  return [...listNotices({ leftOut: [...new Set(days)] }), ...own.filter((notice) => !isLeftOut(notice))];
}

/** True if a notice names the totals-only days that an answer leaves out. */
export const isLeftOut = ({ code }: Coded): boolean => code === 'left_out';

function listDaysBetween(from: string, to: string): number[] {
  const first = parseDay(from);
  return Array.from({ length: parseDay(to) - first + 1 }, (_, i) => first + i);
}

/**
 * Lists notices that say which revenue is missing from an answer. This revenue is in other currencies, or it came after
 * the day had too many different amounts.
 */
export function listRevenueNotices(
  { report, currency }: { report: Report; currency?: string | undefined },
  { revenue = [] }: Pick<Aggregates, 'revenue'>,
): Coded[] {
  if (currency === undefined) return [];
  const all: Amounts = {};
  for (const span of report === 'overview' ? revenue.slice(0, 1) : revenue) addAmounts(all, span);
  const { [OTHER]: hits = 0, [currency]: _, ...others } = all;
  const currencies = Object.keys(others).filter((name) => others[name] !== 0);
  return [
    ...(currencies.length > 0
      ? [coded('other_currencies', { currencies: currencies.sort().join(', '), currency })]
      : []),
    ...(hits > 0 ? [coded('revenue_left_out', { hits, most: MOST_AMOUNTS_OF_DAY })] : []),
  ];
}
