import { DAY, HOUR } from '../../lib/time.ts';
import type { Zone } from '../../lib/zone.ts';

/** The hours of a zone, and their numbers. Hours with equal numbers count as one. `last` is true if the latest second is needed. */
export type Hours = { zone: Zone; numberOf(begin: number): number; last: boolean };

/** Assigns the moments from `first` to `last` to hours. Gives undefined if an hour begins within a unit. */
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
  // Nearly always a whole hour. A change of clocks within an hour makes it shorter.
  const length = starts.reduce((divisor, hour) => greatestDivisor(divisor, hour - start), HOUR / unit);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((last - start) / length) + 1);
  for (const [i, hour] of starts.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - start) / length);
  return { start, length, ranks, numbers };
}

/** When clocks go back, the hour that comes twice counts as one. */
export const byClock = (zone: Zone): Hours => ({
  zone,
  numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR),
  last: true,
});

/** When clocks go back, the hour that comes twice counts as two. */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin, last: false });

/** How moments are counted: in units of so many seconds, from a second of their day on. */
export type Scale = { unit: number; from: number };

/**
 * The hours of a day, from the moment `start` on, cut into slots of one length. A division finds the slot of a moment, which is faster than
 * a search. `ranks` has for each slot the index of its hour in `numbers`.
 */
export type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
