import { dayAfter, firstDayOf, lastDayOf, sameDayAfter, weekdayOf } from './days.ts';

/** The weeks that a month touches, always six, so that no month is taller than another; days of other months are blank. */
export function weeksOf(month: string, firstWeekday: number): (string | undefined)[][] {
  const first = firstDayOf(month);
  const start = dayAfter(first, -((weekdayOf(first) - firstWeekday + 7) % 7));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, i) => {
      const day = dayAfter(start, week * 7 + i);
      return day >= first && day <= lastDayOf(month) ? day : undefined;
    }),
  );
}

/** Seven days in a row that begin with the first of the week, for their names. */
export const weekOf = (firstWeekday: number): string[] =>
  // 4 January 1970 was a Sunday.
  Array.from({ length: 7 }, (_, i) => dayAfter('1970-01-04', firstWeekday + i));

/** Where a key leads from a day. */
export function dayForKey(key: string, day: string, firstWeekday: number, isShift = false): string | undefined {
  const inWeek = (weekdayOf(day) - firstWeekday + 7) % 7;
  const moves: Record<string, () => string> = {
    ArrowLeft: () => dayAfter(day, -1),
    ArrowRight: () => dayAfter(day, 1),
    ArrowUp: () => dayAfter(day, -7),
    ArrowDown: () => dayAfter(day, 7),
    Home: () => dayAfter(day, -inWeek),
    End: () => dayAfter(day, 6 - inWeek),
    PageUp: () => sameDayAfter(day, isShift ? -12 : -1),
    PageDown: () => sameDayAfter(day, isShift ? 12 : 1),
  };
  return Object.hasOwn(moves, key) ? moves[key]?.() : undefined;
}

type Weeks = { firstDay: number };
/** Not every browser has it, and some have it under its old name. */
type Locale = Intl.Locale & { getWeekInfo?(): Weeks; weekInfo?: Weeks };

/** The day with which weeks begin where the reader lives, 0 for Sunday; Monday where nobody says. */
export function firstWeekdayOf(language: string): number {
  const locale: Locale = new Intl.Locale(language);
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}
