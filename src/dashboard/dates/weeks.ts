import { dayAfter, firstDayOf, lastDayOf, sameDayAfter, weekdayOf } from './days.ts';

/**
 * Lists the days of a month, one row for each week. Each month has six rows, so that all months are equally high.
 * Before the first and after the last day of the month, the list has undefined.
 */
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

/** Lists seven days, beginning with the first day of the week. The calendar shows the names of their weekdays. */
export const weekOf = (firstWeekday: number): string[] =>
  // 4 January 1970 was a Sunday, which is weekday 0.
  Array.from({ length: 7 }, (_, i) => dayAfter('1970-01-04', firstWeekday + i));

export function dayForKey(key: string, day: string, firstWeekday: number, isShift = false): string | undefined {
  const placeInWeek = (weekdayOf(day) - firstWeekday + 7) % 7;
  const moves: Record<string, () => string> = {
    ArrowLeft: () => dayAfter(day, -1),
    ArrowRight: () => dayAfter(day, 1),
    ArrowUp: () => dayAfter(day, -7),
    ArrowDown: () => dayAfter(day, 7),
    Home: () => dayAfter(day, -placeInWeek),
    End: () => dayAfter(day, 6 - placeInWeek),
    PageUp: () => sameDayAfter(day, isShift ? -12 : -1),
    PageDown: () => sameDayAfter(day, isShift ? 12 : 1),
  };
  return Object.hasOwn(moves, key) ? moves[key]?.() : undefined;
}

type WeekInfo = { firstDay: number };
/** Some browsers have the older name `weekInfo` instead of `getWeekInfo`. Some browsers have neither. */
type Locale = Intl.Locale & { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo };

/**
 * Returns the first day of the week for a language, where 0 is Sunday. If the browser does not know this day, the
 * result is Monday.
 */
export function firstWeekdayOf(language: string): number {
  const locale: Locale = new Intl.Locale(language);
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}
