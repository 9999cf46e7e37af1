// A range is the days that a report is about. In the URL, a range is a name, such as `30d` or `last-month`, or two
// days, such as `2026-03-01~2026-03-31`. The days that a name stands for depend on the date. So a saved view with
// `month` always shows the current month. The server (src/api/query.ts) reads these texts in the same way, and refuses
// a range of more than two years.
//
// Example: on 10 March 2026, `7d` is 4 to 10 March. One step back is 25 February to 3 March.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import {
  dayAfter,
  daysIn,
  earlier,
  firstDayOf,
  isDay,
  lastDayOf,
  later,
  monthAfter,
  monthOf,
  monthsIn,
  sameDayAfter,
} from './days.ts';

/** A range of days. It includes its first and its last day. */
export type Span = { from: string; to: string };

/** The ranges that end today, each with a function that computes its first day. */
const UNTIL_TODAY: Record<string, (today: string) => string> = {
  today: (today) => today,
  '7d': (today) => dayAfter(today, -6),
  '30d': (today) => dayAfter(today, -29),
  '12m': (today) => firstDayOf(monthAfter(monthOf(today), -11)),
  month: (today) => firstDayOf(monthOf(today)),
  year: (today) => `${today.slice(0, 4)}-01-01`,
  all: (today) => dayAfter(today, -729),
};

/** The ranges that ended before today, each with a function that computes its days. */
const OVER: Record<string, (today: string) => Span> = {
  yesterday: (today) => ({ from: dayAfter(today, -1), to: dayAfter(today, -1) }),
  'last-month': (today) => {
    const month = monthAfter(monthOf(today), -1);
    return { from: firstDayOf(month), to: lastDayOf(month) };
  },
  'last-year': (today) => {
    const year = Number(today.slice(0, 4)) - 1;
    return { from: `${year}-01-01`, to: `${year}-12-31` };
  },
};

/** The range "All time" is the last 730 days, because the server refuses more than two years. */
export const ALL_TIME = 'all';

/**
 * The ranges with a button in the picker. If a user picks the days of one of these ranges in the calendar, the URL gets
 * the range's name.
 */
const PERIODS = ['today', '7d', '30d', '12m'];
const MONTHS = ['12m', 'month', 'year', 'last-month', 'last-year'];

const OLDEST = '1970-01-01';

/**
 * Finds the days of a range by its text, as the server does. Returns undefined for a text that the server would refuse.
 */
export function spanOf(range: string, today: string): Span | undefined {
  if (Object.hasOwn(UNTIL_TODAY, range)) return { from: UNTIL_TODAY[range]?.(today) ?? today, to: today };
  if (Object.hasOwn(OVER, range)) return OVER[range]?.(today);
  const [from = '', to = '', ...more] = range.split('~');
  return more.length === 0 && isDay(from) && isDay(to) && isShort({ from, to }) ? { from, to } : undefined;
}

export const customRange = ({ from, to }: Span): string => `${from}~${to}`;

/**
 * Replaces the name of a range of months or years, such as `month`, by the range's first and last day. The page of all
 * sites needs this, because near midnight, sites in different time zones may be in different months. So `month` could
 * be March for one site and April for another. Any other range stays as it is.
 */
export function monthsAsDays(range: string, today: string): string {
  const span = MONTHS.includes(range) ? spanOf(range, today) : undefined;
  return span ? customRange(span) : range;
}

/**
 * Writes a range of days as a text for the URL. If the range has a button in the picker (`PERIODS`), the text is the
 * range's name, such as `7d`. Otherwise the text is the first and the last day.
 */
export const rangeOf = (span: Span, today: string): string =>
  (span.to === today && PERIODS.find((name) => UNTIL_TODAY[name]?.(today) === span.from)) || customRange(span);

/** Returns the date two years later. Two years after 29 February is 1 March. */
const twoYearsAfter = (day: string): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year + 2, month - 1, date)).toISOString().slice(0, 10);
};

const isShort = ({ from, to }: Span): boolean => from <= to && from >= '1000' && to < twoYearsAfter(from);

/** Returns the longest range that ends on this day and that the server allows: two years. */
export const longestUpTo = (to: string): Span => ({ from: dayAfter(sameDayAfter(to, -24), 1), to });

/**
 * Returns the days between two picked days, including both. The later day may be given first. Days after today are cut
 * off.
 */
export const spanBetween = (one: string, other: string, today: string): Span => ({
  from: earlier(one, other),
  to: earlier(later(one, other), today),
});

export const isAllowed = (span: Span, today: string): boolean => isShort(span) && span.to <= today;

/** True if a day may be chosen as the first day, or as the other end of a range with the day `start`. */
export const mayChoose = (date: string, start: string | undefined, today: string): boolean =>
  date <= today && isAllowed(spanBetween(start ?? date, date, today), today);

export const previousOf = ({ from, to }: Span): Span => ({
  from: dayAfter(from, -daysIn(from, to)),
  to: dayAfter(from, -1),
});

/**
 * Tells whether a range consists of whole months. If its last month has not ended yet, the days up to today are enough.
 * One step back from March is the whole of February. Without this check, the step would lead to the 31 days before
 * March.
 */
function isMonths(range: string, { from, to }: Span, today: string): boolean {
  if (MONTHS.includes(range)) return true;
  if (Object.hasOwn(UNTIL_TODAY, range) || from !== firstDayOf(monthOf(from))) return false;
  return to === lastDayOf(monthOf(to)) || (to === today && rangeOf({ from, to }, today) === range);
}

function stepBack(range: string, span: Span, today: string): Span {
  if (!isMonths(range, span, today)) return previousOf(span);
  const months = monthsIn(span.from, span.to);
  return { from: firstDayOf(monthAfter(monthOf(span.from), -months)), to: dayAfter(span.from, -1) };
}

function stepForward(range: string, span: Span, today: string): Span {
  if (isMonths(range, span, today)) {
    const months = monthsIn(span.from, span.to);
    const to = lastDayOf(monthAfter(monthOf(span.to), months));
    return { from: dayAfter(span.to), to: earlier(to, today) };
  }
  const days = daysIn(span.from, span.to);
  const to = earlier(dayAfter(span.to, days), today);
  return { from: dayAfter(to, 1 - days), to };
}

/**
 * Finds the range just before or just after a range. The result has as many days as the range, or as many months if the
 * range consists of months. The result ends today at the latest. Returns undefined if the range already ends today, or
 * if the result would begin before 1970.
 */
export function steppedRange(range: string, today: string, direction: -1 | 1): string | undefined {
  const span = spanOf(range, today);
  if (!span || (direction === 1 && span.to >= today)) return undefined;
  const next = (direction === 1 ? stepForward : stepBack)(range, span, today);
  // The server allows two years, which are 731 days if they contain a 29 February, and otherwise 730. So one step from
  // a range of 731 days may lead to a range that is a day too long. Then its first day is left out.
  if (!isShort(next)) next.from = dayAfter(next.from);
  return next.from < OLDEST ? undefined : rangeOf(next, today);
}

/** The ranges that the picker offers in a list, next to its buttons. */
export const PRESETS: { name: DashboardMessage; range: string }[] = [
  { name: 'Yesterday', range: 'yesterday' },
  { name: 'This month', range: 'month' },
  { name: 'Last month', range: 'last-month' },
  { name: 'This year', range: 'year' },
  { name: 'Last year', range: 'last-year' },
  { name: 'All time', range: ALL_TIME },
];
