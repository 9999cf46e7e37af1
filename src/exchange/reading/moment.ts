import { cached } from '../../lib/cache.ts';
import { HOUR, isDay, MINUTE } from '../../lib/time.ts';

const AT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;
const OFFSET = /([+-])(\d\d):?(\d\d)?$/;

/**
 * Returns the start of a day in UTC, in seconds since 1970. Returns NaN for a day that does not exist, such as
 * 2026-02-30.
 */
const findDayStart = cached((day) => (isDay(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : Number.NaN), {
  size: 5_000,
});

/**
 * Parses a time such as 2026-01-05T10:00:00Z into seconds since 1970. Returns NaN for any other text. An import calls
 * this function for every line. For speed, digits are read by their position, and not by captures of a regular
 * expression.
 */
export function parseSecond(at: string): number {
  if (!AT.test(at)) return Number.NaN;
  const two = (position: number): number => at.charCodeAt(position) * 10 + at.charCodeAt(position + 1) - 528;
  const local = findDayStart(at.slice(0, 10)) + two(11) * HOUR + two(14) * MINUTE + (at[16] === ':' ? two(17) : 0);
  if (at.endsWith('Z')) return local;
  const [, sign, hours, minutes = 0] = OFFSET.exec(at) ?? [];
  const ahead = Number(hours) * HOUR + Number(minutes) * MINUTE;
  return sign === '-' ? local + ahead : local - ahead;
}
