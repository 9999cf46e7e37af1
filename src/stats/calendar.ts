// Days and months of a site. Days are numbered from 1970-01-01, which is day 0.
//
// Invariant: each moment belongs to one day, even if the site changes its time zone.
//
// Example: a site changes its time zone from Berlin to New York at 10:00. The site's current day then ends 6 hours
// later than in Berlin. Both engines and the API use this file.

import { DAY_MS } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import { findLiveStart } from './definitions.ts';

/**
 * Returns the number of a day's month: year × 12 + month, where January is 0. Consecutive months have consecutive
 * numbers.
 */
export function monthNumber(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const findFirstDay = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;

/** A time zone that the site had until the instant `at`. At that instant, `day` was the current day of the site. */
export type ZoneBefore = { at: number; day: number; timeZone: string };

export type Calendar = ReturnType<typeof makeCalendar>;

/**
 * Makes the calendar of a site: when each day begins and ends. A day begins when its date begins in the time zone that
 * the site has at that time. An imported day keeps the time zone of its import.
 */
export function makeCalendar(timeZone: string, before: readonly ZoneBefore[], imported: ReadonlyMap<number, string>) {
  const zones = [...before, { at: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY, timeZone }];

  function beginning(day: number): { at: number; timeZone: string } {
    let from = Number.NEGATIVE_INFINITY;
    for (const { at: until, day: running, timeZone } of zones) {
      // If the time zone changes twice in one second, a day may be current only between the two changes. This day gets
      // the time zone that the site had between the changes.
      if (day <= running) return { at: Math.min(Math.max(from, findZone(timeZone).findStart(day)), until), timeZone };
      from = until;
    }
    throw new RangeError(`day ${day} never begins`);
  }

  return {
    findZoneOfDay: (day: number): string => imported.get(day) ?? beginning(day).timeZone,
    findStart(day: number): number {
      const zone = imported.get(day);
      return zone === undefined ? beginning(day).at : findZone(zone).findStart(day);
    },
    findEnd(day: number): number {
      const zone = imported.get(day);
      return zone === undefined ? beginning(day + 1).at : findZone(zone).findStart(day + 1);
    },
  };
}

/** The most days by which a site's date jumps when its time zone changes, for example from UTC-11 to UTC+14. */
const MOST_LEFT_OUT = 2;

/**
 * Lists the days that may have hits since the instant `since`, by default since 300 seconds ago. After a change of the
 * time zone, there may be several such days.
 */
export function listLiveDays(site: SiteZone, now: number, since = findLiveStart(now)): { from: number; to: number } {
  const from = findZone(site.timeZone).dateAt(since);
  const isNew = site.earliestDay >= from - MOST_LEFT_OUT;
  const to = findSiteDay(site, now) + 1;
  return { from: isNew ? Math.min(from, site.earliestDay - MOST_LEFT_OUT) : from, to };
}
