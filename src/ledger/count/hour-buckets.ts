import { DAY, HOUR } from '../../lib/time.ts';
import type { Zone } from '../../lib/zone.ts';

/**
 * The hours of a time zone. `numberOf` gives the number of the hour that begins at the second `begin`. Hours with equal numbers count as
 * one. `last` is true if the query also needs the time of the latest hit.
 */
export type Hours = { zone: Zone; numberOf(begin: number): number; last: boolean };

/**
 * Divides the moments from `first` to `last` into hours. Moments are counted in units, for example of 15 minutes. Gives undefined if an
 * hour begins in the middle of a unit.
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
  // A slot is nearly always a whole hour. Slots are shorter only if clocks change by less than an hour, such as 30 minutes.
  const length = starts.reduce((divisor, hour) => greatestDivisor(divisor, hour - start), HOUR / unit);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((last - start) / length) + 1);
  for (const [i, hour] of starts.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - start) / length);
  return { start, length, ranks, numbers };
}

/** When clocks go back, an hour of the clock comes twice. The two hours count as one. */
export const byClock = (zone: Zone): Hours => ({
  zone,
  numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR),
  last: true,
});

/** When clocks go back, an hour of the clock comes twice. The two hours are counted separately. */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin, last: false });

/**
 * A scale for moments of a day. A moment is a number of units after `from`. `unit` is the length of a unit in seconds. `from` is in seconds
 * after 00:00 UTC of the day.
 */
export type Scale = { unit: number; from: number };

/**
 * The hours of a day, cut into slots of equal length. The first slot begins at the moment `start`. One division finds the slot of a moment,
 * which is faster than a search. For each slot, `ranks` has the index of the slot's hour in the list `numbers`.
 */
export type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
