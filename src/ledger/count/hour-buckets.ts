import { DAY, HOUR } from '../../lib/time.ts';
import type { Zone } from '../../lib/zone.ts';

/** Hours of a zone, and how they are numbered: two of the same number count as one. `last` is whether the latest second is asked for. */
export type Hours = { zone: Zone; numberOf(begin: number): number; last: boolean };

/** An hour that comes twice is one. */
export const byClock = (zone: Zone): Hours => ({
  zone,
  numberOf: (begin) => Math.floor(zone.localAt(begin) / HOUR),
  last: true,
});

/** An hour that comes twice is two. */
export const byInstant = (zone: Zone): Hours => ({ zone, numberOf: (begin) => begin, last: false });

/** How moments are counted: in units of so many seconds, from a second of their day on. */
export type Scale = { unit: number; from: number };

/**
 * The hours of some moments of a day, from the moment `start` on. They are cut into blobs of one length, because a division is faster
 * than a search; `ranks` are the places of their numbers in `numbers`.
 */
export type Slots = { start: number; length: number; ranks: Int32Array; numbers: number[] };

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** The slots of two moments of a day and of all between them; undefined where an hour begins within a unit. */
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
  // A whole hour, but where clocks are changed within one.
  const length = starts.reduce((divisor, hour) => greatestDivisor(divisor, hour - start), HOUR / unit);
  const all = begins.map(numberOf);
  const numbers = [...new Set(all)].sort((a, b) => a - b);
  const ranks = new Int32Array(Math.floor((last - start) / length) + 1);
  for (const [i, hour] of starts.entries()) ranks.fill(numbers.indexOf(all[i] as number), (hour - start) / length);
  return { start, length, ranks, numbers };
}
