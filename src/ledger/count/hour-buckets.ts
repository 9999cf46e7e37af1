// Finds the hour of a time zone to which each moment of a day belongs. A moment is a time, as a number of units. A unit
// is a second or a quarter hour.
//
// Invariant: each moment belongs to exactly one hour, even when clocks change.
//
// Example: in a zone that is 30 minutes ahead of UTC, 09:40 UTC is 10:10. This moment belongs to the hour that begins
// at 09:30 UTC. hours.ts counts hits in these hours.
import { DAY, HOUR } from '../../lib/time.ts';
import type { Zone } from '../../lib/zone.ts';

/**
 * How a query numbers hours. An hour is given by its beginning, in seconds since 1970, and `numberOf` returns its
 * number. Hours with equal numbers count as one hour. `last` is true if the query also needs the time of each day's
 * latest counted hit.
 */
export type Hours = { zone: Zone; numberOf(begin: number): number; last: boolean };

/**
 * Assigns each moment from `first` to `last` to an hour. Returns undefined if an hour begins in the middle of a unit,
 * such as a quarter hour.
 */
export function assignSlots(
  day: number,
  [first, last]: readonly [number, number],
  { zone, numberOf }: Hours,
  { unit, from }: Scale,
): Slots | undefined {
  const origin = day * DAY + from;
  const begins = zone.hoursBetween(origin + first * unit, origin + (last + 1) * unit);
  const starts = begins.map((begin) => (begin - origin) / unit);
  if (!starts.every(Number.isInteger)) return undefined;
  const [start = 0] = starts;
  // Time is divided into slots of equal length, so that one division finds the slot of a moment. A slot is usually an
  // hour. A slot is shorter if clocks change by less than an hour, such as 30 minutes.
  const length = starts.reduce((divisor, hour) => greatestDivisor(divisor, hour - start), HOUR / unit);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((last - start) / length) + 1);
  for (const [i, hour] of starts.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - start) / length);
  return { start, length, ranks, numbers };
}

/**
 * Numbers each hour by its date and clock time. When clocks go back, the hour 02:00 comes twice, and both hours get the
 * same number.
 */
export const byClock = (zone: Zone): Hours => ({
  zone,
  numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR),
  last: true,
});

/**
 * Numbers each hour by the moment at which it begins. When clocks go back, the hour 02:00 comes twice, and the two
 * hours get different numbers.
 */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin, last: false });

/**
 * What a moment means. A moment is a number of units, and a unit has `unit` seconds, for example 900. Moment 0 is
 * `from` seconds after 00:00 UTC of the day.
 */
export type Scale = { unit: number; from: number };

/**
 * The hours of a day, divided into slots of equal length. The first slot begins at the moment `start`. For each slot,
 * `ranks` has the index of its hour in `numbers`.
 */
export type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
