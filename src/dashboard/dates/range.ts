// A range is the days that a report is about. The URL has its text: a name such as `30d`, or two days such as
// `2026-03-01~2026-03-31`. A range with a name always ends today. The server (src/api) reads
// these texts in the same way, and refuses a range of more than two years.
//
// Example: on 10 March 2026, `7d` is 4 to 10 March. One step back gives 25 February to 3 March.

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

/** A span includes its first and its last day. */
export type Span = { from: string; to: string };

/** Computes the first day of each range that has a name. All of them end today. */
const NAMED: Record<string, (today: string) => string> = {
  today: (today) => today,
  '7d': (today) => dayAfter(today, -6),
  '30d': (today) => dayAfter(today, -29),
  '12m': (today) => firstDayOf(monthAfter(monthOf(today), -11)),
};

const OLDEST = '1970-01-01';

/** The days of a range, as the server reads its text. Undefined for a text that the server would refuse. */
export function spanOf(range: string, today: string): Span | undefined {
  const firstDay = Object.hasOwn(NAMED, range) ? NAMED[range] : undefined;
  if (firstDay) return { from: firstDay(today), to: today };
  const [from = '', to = '', ...more] = range.split('~');
  return more.length === 0 && isDay(from) && isDay(to) && isShort({ from, to }) ? { from, to } : undefined;
}

export const customRange = ({ from, to }: Span): string => `${from}~${to}`;

/** The text of a range with these days. If a named range has the same days, the text is that name. */
export const rangeOf = (span: Span, today: string): string =>
  (span.to === today && Object.keys(NAMED).find((name) => NAMED[name]?.(today) === span.from)) || customRange(span);

/** Returns the date two years later. Two years after 29 February is 1 March. */
const twoYearsAfter = (day: string): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year + 2, month - 1, date)).toISOString().slice(0, 10);
};

const isShort = ({ from, to }: Span): boolean => from <= to && from >= '1000' && to < twoYearsAfter(from);

/** The longest range that the server accepts and that ends on this day. The result may be one day shorter than allowed. */
export const longestUpTo = (to: string): Span => ({ from: dayAfter(sameDayAfter(to, -24), 1), to });

/** The days between two picked days, which may be in any order. Days after today are cut off. */
export const spanBetween = (one: string, other: string, today: string): Span => ({
  from: earlier(one, other),
  to: earlier(later(one, other), today),
});

export const isAllowed = (span: Span, today: string): boolean => isShort(span) && span.to <= today;

export const previousOf = ({ from, to }: Span): Span => ({
  from: dayAfter(from, -daysIn(from, to)),
  to: dayAfter(from, -1),
});

/** Whether a range has whole months. One step back from March is then February, and not the 31 days before March. */
function isMonths(range: string, { from, to }: Span, today: string): boolean {
  if (range === '12m') return true;
  if (Object.hasOwn(NAMED, range) || from !== firstDayOf(monthOf(from))) return false;
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

/** The range one step back or forward, of equal length. Undefined if it would be in the future or begin before 1970. */
export function steppedRange(range: string, today: string, direction: -1 | 1): string | undefined {
  const span = spanOf(range, today);
  if (!span || (direction === 1 && span.to >= today)) return undefined;
  const next = (direction === 1 ? stepForward : stepBack)(range, span, today);
  // With 29 February, two years are 731 days, and otherwise 730. So a range of 731 days may become too long for the
  // server. The first day is then left out.
  if (!isShort(next)) next.from = dayAfter(next.from);
  return next.from < OLDEST ? undefined : rangeOf(next, today);
}

/** Lists the ranges that the picker offers by name. The URL gets their days, so that a link always shows the same days. */
export function presets(today: string): { name: DashboardMessage; span: Span }[] {
  const month = monthOf(today);
  const year = today.slice(0, 4);
  const lastYear = String(Number(year) - 1);
  return [
    { name: 'Yesterday', span: { from: dayAfter(today, -1), to: dayAfter(today, -1) } },
    { name: 'This month', span: { from: firstDayOf(month), to: today } },
    { name: 'Last month', span: { from: firstDayOf(monthAfter(month, -1)), to: dayAfter(firstDayOf(month), -1) } },
    { name: 'This year', span: { from: `${year}-01-01`, to: today } },
    { name: 'Last year', span: { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` } },
  ];
}
