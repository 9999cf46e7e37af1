// Time zones: what the clocks show at an instant, and where days and hours begin. Instants are seconds since 1970, and ranges are half-open.
//
// Every instant belongs to one day and one hour, and days follow each other without a gap, whatever a zone does to its clocks:
//
//   Europe/Berlin, 2026-10-25: 25 hours, of which 02:00 begins twice, at 00:00 and at 01:00 UTC
//   Europe/Berlin, 2026-03-29: 23 hours, without 02:00
//
// The system's Intl is slow to ask, so that offsets are kept by UTC day. Collecting, imports and queries use it; test/lib/zone.test.ts.

import { cached } from './cache.ts';
import { DAY, HOUR, iso, MINUTE } from './time.ts';
import { findCurrentName } from './zone-names.ts';

/** A time zone. Instants are seconds since 1970, and days are numbered from 1970-01-01. */
export type Zone = {
  name: string;
  /** How many seconds the clocks are ahead of UTC. */
  offsetAt(instant: number): number;
  /** What clocks and calendars show, in seconds as if it were UTC. */
  localAt(instant: number): number;
  /** The date that calendars show, as days since 1970. */
  dateAt(instant: number): number;
  /** The running day. This is the date, but a clock that is set back over midnight brings no day back. */
  dayAt(instant: number): number;
  /** The first instant of a day. A date that the zone left out begins with the next one. */
  findStart(day: number): number;
  /** The first instant at which the clocks show a time or a later one. */
  findInstant(local: number): number;
  /** The beginning of the running hour. An hour that comes twice has two beginnings. */
  hourAt(instant: number): number;
  /** The beginnings of all hours that overlap a range. */
  hoursBetween(from: number, to: number): number[];
  /** The local time with its offset from UTC: 2026-10-25T02:00:00+02:00. */
  writtenAt(instant: number): string;
};

/** The zone of a site, and the running day at its latest change of zone; 0 if the zone never changed. */
export type SiteZone = { timeZone: string; earliestDay: number };

/** Finds a zone by its canonical name. The zone and its offsets are kept (test/lib/zone.test.ts). */
export function findZone(name: string): Zone {
  const zone = zones.get(name) ?? build(name);
  zones.set(name, zone);
  return zone;
}

/** The furthest that any zone was ever from UTC, in seconds. */
const FURTHEST = 16 * HOUR;

export const UTC = 'UTC';

/** The offsets of one UTC day: one before the instant `at`, and one from then on. */
type OffsetBlock = { at: number; before: number; after: number };

/** The longest name of a time zone. */
const LONGEST = 64;

/** The blocks of some 50 years. */
const MOST_BLOCKS = 20_000;

/** Finds today's name of a zone that was typed in any case, perhaps by an old name; undefined for an unknown zone. */
export function findCanonicalZone(typed: string): string | undefined {
  // Newer systems accept an offset such as +02:00 here, but an offset is no zone.
  if (!/^[a-z]/i.test(typed) || typed.length > LONGEST) return undefined;
  try {
    return findCurrentName(new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}

const writeTwoDigits = (parts: readonly number[]): string =>
  parts.map((part) => String(part).padStart(2, '0')).join(':');

/** Writes an offset: +05:30. Until 1972 some offsets had seconds, which follow. */
const writeOffset = cached((offset: number): string => {
  const [size, seconds] = [Math.abs(offset), Math.abs(offset) % MINUTE];
  const parts = [Math.floor(size / HOUR), Math.floor((size % HOUR) / MINUTE), ...(seconds > 0 ? [seconds] : [])];
  return (offset < 0 ? '-' : '+') + writeTwoDigits(parts);
});

/** The written instants are mostly hours of a month, so they have few dates and few times of day. */
const KEPT = { size: 1_000 };
const writeDate = cached((day: number): string => iso(day * DAY).slice(0, -'00:00:00Z'.length), KEPT);
const writeTime = cached(
  (second: number): string =>
    writeTwoDigits([Math.floor(second / HOUR), Math.floor((second % HOUR) / MINUTE), second % MINUTE]),
  KEPT,
);

/** Makes a function that asks the system for an offset, which takes over 1 µs. */
function makeOffsetReader(name: string): (instant: number) => number {
  if (name === UTC) return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign = '', ...parts] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(format.format(instant * 1000)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === '-' ? -1 : 1) * (hours * HOUR + minutes * 60 + seconds) || 0;
  };
}

/** Finds the first instant with another offset, between `from` and `to` that have different ones. */
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
 * Makes a function that finds the offsets of a UTC day, each day once. Since 1970 no zone has changed its clocks twice
 * in a day.
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
  /** The last day that was found. Live hits ask for one day again and again. */
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

  /** Computes the seconds since the last full hour on the clock. */
  function past(instant: number): number {
    const local = localAt(instant);
    return local - Math.floor(local / HOUR) * HOUR;
  }

  /** Finds a change of the clocks between two instants that are less than a day apart. */
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
 * Finds the day on which a site counts a hit. After a change of zone this is never a day before the one that was
 * running then.
 */
export function findSiteDay({ timeZone, earliestDay }: SiteZone, instant: number): number {
  const day = findZone(timeZone).dayAt(instant);
  // A change under a clock that was far ahead must not hold up days.
  const hasBegun = instant >= earliestDay * DAY - FURTHEST;
  return day < earliestDay && hasBegun ? earliestDay : day;
}
