import { DAY_MS } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import { findLiveStart } from './definitions.ts';

/** Gives the number of the month of a day, counted from January of the year 0. */
export function monthNumber(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const findFirstDay = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;

/** A time zone that the site had until the instant `at`. At that instant, `day` was the current day of the site. */
export type ZoneBefore = { at: number; day: number; timeZone: string };

export type Calendar = ReturnType<typeof makeCalendar>;

/**
 * Makes the calendar of a site, which says when each day begins and ends. `before` has the zones that the site had earlier. A day begins
 * when its date begins in the time zone that the site has at that time. A day ends when the next day begins. Imported days keep the zone
 * that the site had at the import.
 */
export function makeCalendar(timeZone: string, before: readonly ZoneBefore[], imported: ReadonlyMap<number, string>) {
  const zones = [...before, { at: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY, timeZone }];

  function beginning(day: number): { at: number; timeZone: string } {
    let from = Number.NEGATIVE_INFINITY;
    for (const { at: until, day: running, timeZone } of zones) {
      // The time zone of a site may be changed twice in one second. If a day was the current day in the zone between the two changes, the
      // day keeps that zone, although it lasted no time.
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
    /** Gives the first instant after a day. */
    findEnd(day: number): number {
      const zone = imported.get(day);
      return zone === undefined ? beginning(day + 1).at : findZone(zone).findStart(day + 1);
    },
  };
}

/** A change of the time zone may skip at most two dates. */
const MOST_LEFT_OUT = 2;

/** Lists the days that may have hits since the instant `since`. The default is 300 seconds ago. */
export function listLiveDays(site: SiteZone, now: number, since = findLiveStart(now)): { from: number; to: number } {
  const from = findZone(site.timeZone).dateAt(since);
  const isNew = site.earliestDay >= from - MOST_LEFT_OUT;
  const to = findSiteDay(site, now) + 1;
  return { from: isNew ? Math.min(from, site.earliestDay - MOST_LEFT_OUT) : from, to };
}
