// Time zones: what the clocks show at a moment, and where days and hours begin. Moments are seconds since 1970. Ranges
// are half-open.
//
// Invariant: every moment belongs to one day and one hour, even if a zone changes its clocks. Intl takes over 1 µs for
// an offset, so offsets are stored in memory for each UTC day.
//
// Example: in Berlin, 2026-10-25 has 25 hours. 02:00 begins twice, at 00:00 and at 01:00 UTC. 2026-03-29 has 23 hours,
// without 02:00. Collecting, imports and queries use this file. Tested by test/lib/zone.test.ts.

import { cached } from './cache.ts';
import { DAY, HOUR, iso, MINUTE } from './time.ts';
import { findCurrentName } from './zone-names.ts';

/** A time zone. All moments are in seconds since 1970, and days are numbered from 1970-01-01. */
export type Zone = {
  name: string;
  /** How many seconds the clocks of the zone are ahead of UTC. */
  offsetAt(instant: number): number;
  /** What a clock on the wall shows at a moment, as seconds since 1970, as if the zone were UTC. */
  localAt(instant: number): number;
  /** The date on a calendar at a moment, as days since 1970. */
  dateAt(instant: number): number;
  /**
   * The day to which a moment belongs, usually its date. If the clocks are set back over midnight, the date goes back
   * but the day does not. So days never overlap.
   */
  dayAt(instant: number): number;
  /** The first moment of a day. If the zone skipped this date, the first moment of the next date. */
  findStart(day: number): number;
  /** The first moment at which the clock on the wall shows this local time or a later one. */
  findInstant(local: number): number;
  /**
   * The moment at which the hour began. In autumn the clock shows an hour twice. Then each of the two hours has its own
   * beginning.
   */
  hourAt(instant: number): number;
  /** The beginnings of all hours that overlap the range. */
  hoursBetween(from: number, to: number): number[];
  /** The local time with its offset from UTC, such as 2026-10-25T02:00:00+02:00. */
  writtenAt(instant: number): string;
};

/**
 * The time zone of a site. `earliestDay` is the day on which the site last changed its zone, or 0. New hits count for
 * this day or later. `findSiteDay` has the only exception.
 */
export type SiteZone = { timeZone: string; earliestDay: number };

/**
 * Finds a zone by its name. The zone stays in memory with its offsets, because computing an offset takes over 1 µs
 * (test/lib/zone.test.ts).
 */
export function findZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const zone = build(name);
  zones.set(name, zone);
  return zone;
}

/** In seconds. No zone has ever differed from UTC by this much. */
const FURTHEST = 16 * HOUR;

export const UTC = 'UTC';

/** The offsets from UTC during one UTC day: `before` the moment `at`, and `after` from that moment on. */
type OffsetBlock = { at: number; before: number; after: number };

const LONGEST = 64;

/** A zone stores the offsets of at most 20,000 UTC days in memory. 20,000 days are about 55 years. */
const MOST_BLOCKS = 20_000;

/** Finds the present name of a zone. A person may have typed an old name, in upper or lower case. */
export function findCanonicalZone(typed: string): string | undefined {
  // Newer systems accept an offset such as +02:00 here. An offset ignores summer time, so it is refused.
  if (!/^[a-z]/i.test(typed) || typed.length > LONGEST) return undefined;
  try {
    return findCurrentName(new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

const writeTwoDigits = (parts: readonly number[]): string =>
  parts.map((part) => String(part).padStart(2, '0')).join(':');

/** Writes an offset such as +05:30. Some offsets before 1972 had seconds too, such as -00:44:30. */
const writeOffset = cached((offset: number): string => {
  const [size, seconds] = [Math.abs(offset), Math.abs(offset) % MINUTE];
  const parts = [Math.floor(size / HOUR), Math.floor((size % HOUR) / MINUTE), ...(seconds > 0 ? [seconds] : [])];
  return (offset < 0 ? '-' : '+') + writeTwoDigits(parts);
});

/**
 * How many written dates stay in memory, and how many written times of day. Most reports by hour are about full hours
 * of a few weeks. So they write few different dates and times.
 */
const KEPT = { size: 1_000 };
const writeDate = cached((day: number): string => iso(day * DAY).slice(0, -'00:00:00Z'.length), KEPT);
const writeTime = cached(
  (second: number): string =>
    writeTwoDigits([Math.floor(second / HOUR), Math.floor((second % HOUR) / MINUTE), second % MINUTE]),
  KEPT,
);

/**
 * Makes a function that asks the system for the offset of a zone. Each call takes over 1 µs, so callers store the
 * results.
 */
function makeOffsetReader(name: string): (instant: number) => number {
  if (name === UTC) return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign = '', ...parts] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(format.format(instant * 1000)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === '-' ? -1 : 1) * (hours * HOUR + minutes * 60 + seconds) || 0;
  };
}

/**
 * Finds the first moment with another offset than at `from`, by halving the range. The offsets at `from` and `to` must
 * differ.
 */
function findChange(readOffset: (instant: number) => number, from: number, to: number): number {
  const before = readOffset(from);
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (readOffset(middle) === before) same = middle;
    else other = middle;
  }
  return other;
}

/**
 * Makes a function that finds the offsets during a UTC day, and stores them in memory. One change for each day is
 * enough, because since 1970 no zone has set its clocks twice in one day.
 */
function readBlocks(name: string): (number: number) => OffsetBlock {
  const readOffset = makeOffsetReader(name);
  const blocks = new Map<number, OffsetBlock>();
  return (number) => {
    const known = blocks.get(number);
    if (known) return known;
    const [from, to] = [number * DAY, (number + 1) * DAY];
    const [before, after] = [readOffset(from), readOffset(to)];
    const at = before === after ? Number.POSITIVE_INFINITY : findChange(readOffset, from, to);
    if (blocks.size >= MOST_BLOCKS) blocks.clear();
    const block = { at, before, after };
    blocks.set(number, block);
    return block;
  };
}

function build(name: string): Zone {
  const findBlock = readBlocks(name);
  /** The day that `dayAt` found last. The next call of `dayAt` nearly always finds this day again, without a search. */
  let latest = { day: 0, from: 0, to: 0 };

  function offsetAt(instant: number): number {
    const { at, before, after } = findBlock(Math.floor(instant / DAY));
    return instant < at ? before : after;
  }

  const localAt = (instant: number): number => instant + offsetAt(instant);
  const dateAt = (instant: number): number => Math.floor(localAt(instant) / DAY);

  function findInstant(local: number): number {
    const date = Math.floor(local / DAY);
    for (const number of [date - 1, date, date + 1]) {
      const { at, before, after } = findBlock(number);
      const [from, to] = [number * DAY, (number + 1) * DAY];
      const early = Math.max(from, local - before);
      if (early < Math.min(at, to)) return early;
      const late = Math.max(at, local - after);
      if (late < to) return late;
    }
    throw new RangeError(`${name} is further from UTC than any zone`);
  }

  const findStart = (day: number): number => findInstant(day * DAY);

  function dayAt(instant: number): number {
    if (instant >= latest.from && instant < latest.to) return latest.day;
    const date = dateAt(instant);
    const day = instant < findStart(date + 1) ? date : date + 1;
    latest = { day, from: findStart(day), to: findStart(day + 1) };
    return day;
  }

  /** Computes how many seconds have passed since the local clock last showed a full hour. */
  function past(instant: number): number {
    const local = localAt(instant);
    return local - Math.floor(local / HOUR) * HOUR;
  }

  /** Finds the moment at which the clocks are set forward or back, between two moments less than a day apart. */
  const changeWithin = (from: number, to: number): number | undefined =>
    [from, to].map((one) => findBlock(Math.floor(one / DAY)).at).find((at) => at > from && at < to);

  function hourAt(instant: number): number {
    const full = instant - past(instant);
    return changeWithin(full, instant + 1) ?? full;
  }

  function hourEnd(instant: number): number {
    const full = instant - past(instant) + HOUR;
    return changeWithin(instant, full) ?? full;
  }

  function hoursBetween(from: number, to: number): number[] {
    const hours: number[] = [];
    for (let at = from; at < to; at = hourEnd(at)) hours.push(hourAt(at));
    return hours;
  }

  function writtenAt(instant: number): string {
    const offset = offsetAt(instant);
    const day = Math.floor((instant + offset) / DAY);
    return writeDate(day) + writeTime(instant + offset - day * DAY) + writeOffset(offset);
  }

  return { name, offsetAt, localAt, dateAt, dayAt, findStart, findInstant, hourAt, hoursBetween, writtenAt };
}

const zones = new Map<string, Zone>();

/**
 * Finds the day for which a site counts a hit. If the site changed its time zone, the hit usually counts for the day of
 * the change or later. Earlier days were counted in the former zone.
 */
export function findSiteDay({ timeZone, earliestDay }: SiteZone, instant: number): number {
  const day = findZone(timeZone).dayAt(instant);
  // `earliestDay` is the day on which the site last changed its zone. If the server's clock was ahead then, that day
  // may be far in the future. Such a day is ignored until it has begun somewhere on earth.
  const hasBegun = instant >= earliestDay * DAY - FURTHEST;
  return day < earliestDay && hasBegun ? earliestDay : day;
}
