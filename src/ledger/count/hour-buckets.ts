// This file says to which hour of a time zone each moment of a day belongs. A moment is a second or a quarter hour.
// Invariant: each moment belongs to exactly one hour, also when clocks change.
//
// Example: a zone is 30 minutes ahead of UTC. 09:40 UTC is 10:10 there, in the hour that begins at 09:30 UTC. hours.ts
// counts hits in these hours.
import { DAY, HOUR } from '../../lib/time.ts';
import type { Zone } from '../../lib/zone.ts';

/**
 * The hours of a time zone. `numberOf` gives the number of the hour that begins at a second since 1970. Hours with
 * equal numbers count as one. `last` is true if the query also needs the time of the latest hit.
 */
export type Hours = { zone: Zone; numberOf(begin: number): number; last: boolean };

/**
 * Says to which hour of a time zone each moment from `first` to `last` belongs. A moment is a number of units, for
 * example of 15 minutes. Gives undefined if an hour begins in the middle of a unit.
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
  // Hours are cut into slots of one length, so that a division finds the slot of a moment. A slot is nearly always a
  // whole hour. Slots are shorter only if clocks change by less than an hour, such as 30 minutes.
  const length = starts.reduce((divisor, hour) => greatestDivisor(divisor, hour - start), HOUR / unit);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((last - start) / length) + 1);
  for (const [i, hour] of starts.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - start) / length);
  return { start, length, ranks, numbers };
}

/**
 * Numbers hours by what the clock shows. When clocks go back, an hour such as 02:00 comes twice. The two hours get one
 * number, so they count as one.
 */
export const byClock = (zone: Zone): Hours => ({
  zone,
  numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR),
  last: true,
});

/**
 * Numbers hours by the second in which they begin. When clocks go back, an hour such as 02:00 comes twice. The two
 * hours get two numbers, so they are counted separately.
 */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin, last: false });

/**
 * Says how the moments of a day are counted. A moment is a number of units after `from`. A unit has `unit` seconds, for
 * example 900. `from` is in seconds after 00:00 UTC of the day.
 */
export type Scale = { unit: number; from: number };

/**
 * The hours of a day, cut into slots of equal length. The first slot begins at the moment `start`. One division finds
 * the slot of a moment, which is faster than a search. `ranks` says for each slot which entry of `numbers` is its hour.
 */
export type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
