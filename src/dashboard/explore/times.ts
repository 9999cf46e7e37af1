import { HOUR } from '../../lib/time.ts';
import { findZone } from '../../lib/zone.ts';
import type { KeyValue, TimeKey } from '../../stats/table-keys.ts';
import { dayAfter, earlier, monthAfter, monthOf, weekdayOf } from '../dates/days.ts';
import type { Span } from '../dates/range.ts';

const countFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

/** Lists texts from the first to the last. `next` returns the text that follows a text. */
function listUntil(first: string, last: string, next: (text: string) => string): string[] {
  const list: string[] = [];
  for (let text = first; text <= last; text = next(text)) list.push(text);
  return list;
}

const findMonday = (day: string): string => dayAfter(day, -((weekdayOf(day) + 6) % 7));

/**
 * Lists all values of a time key from one day to another, such as the weeks. Hours depend on the time zone, so
 * `fillTimes` lists them.
 */
const LISTS: Record<Exclude<TimeKey, 'hour'>, (from: string, to: string) => KeyValue[]> = {
  day: (from, to) => listUntil(from, to, (day) => dayAfter(day)),
  week: (from, to) => listUntil(findMonday(from), to, (day) => dayAfter(day, 7)),
  month: (from, to) => listUntil(monthOf(from), monthOf(to), (month) => monthAfter(month)),
  weekday: () => countFrom(1, 7),
  hour_of_day: () => countFrom(0, 24),
};

/**
 * Lists all values of a time key in a range, up to today. This list is also complete if there are times without visits,
 * for which an answer has no rows. Returns undefined for hours.
 */
export const listTimes = (key: TimeKey, { from, to }: Span, today: string): KeyValue[] | undefined =>
  key === 'hour' ? undefined : LISTS[key](from, earlier(to, today));

/** Adds the hours that are missing between the first and the last hour. */
export function fillTimes(hours: readonly KeyValue[], timeZone: string): KeyValue[] {
  const [first, last] = [hours[0], hours.at(-1)].map((hour) => Date.parse(String(hour)) / 1000);
  if (first === undefined || last === undefined || hours.length === 0) return [...hours];
  const zone = findZone(timeZone);
  const filled = countFrom(0, Math.round((last - first) / HOUR) + 1).map((i) => zone.writtenAt(first + i * HOUR));
  // If the clocks change by half an hour, later hours begin at another minute. Then no hours are added.
  return hours.every((hour) => filled.includes(String(hour))) ? filled : [...hours];
}
