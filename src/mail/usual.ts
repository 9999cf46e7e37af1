// The usual number of visitors of a site in each hour, from the last 8 weeks.
//
// Example: the hour of Tuesday 10:00 is compared with the same hour of the last 8 Tuesdays. silence.ts and traffic.ts
// call `readHistory`.

import { DAY, HOUR, WEEK } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Hour } from '../stats/aggregates.ts';
import type { Ask } from '../stats/ask.ts';
import { LEAST_WEEKS, WEEKS } from '../stats/unusual.ts';
import type { Db } from '../store/db.ts';
import { listDeletedDays } from '../store/sites/changes.ts';

/**
 * The number of days to read before today: the 8 weeks to compare with, and one more week. A silence may have begun a
 * week ago. Then the 8 weeks before the silence begin a week earlier.
 */
const DAYS = (WEEKS + 1) * 7;

/**
 * The visitors of a site by hour. `hour` and `from` are in local time, so 08:00 is compared with 08:00 in summer and in
 * winter. `from` is the beginning of the first day that has a hit. `lastHit` is an instant in UTC.
 */
export type History = {
  from: number | undefined;
  lastHit: number | undefined;
  at(hour: number): Came;
  /** Tells whether a day was deleted. `moment` is any moment of this day, in local time. */
  isDeleted(moment: number): boolean;
};

type Came = Pick<Hour, 'visitors' | 'arrivals'>;

type Site = { id: number } & SiteZone;

export type HistorySource = { db: Db; ask: Ask };

/** Reads the visitors of the last 9 weeks by hour. The last day is the day of the instant `upTo`. */
export async function readHistory({ db, ask }: HistorySource, site: Site, upTo: number): Promise<History> {
  const { id: siteId, timeZone } = site;
  const today = findZone(timeZone).dateAt(upTo);
  const range = { from: today - DAYS, to: Math.max(today, findSiteDay(site, upTo)) + 1 };
  const { days } = await ask({ report: 'hours', timeZone, siteId, range, filters: {} });
  const known = new Set(days.map(({ day }) => day));
  const deleted = new Set(listDeletedDays(db, siteId, range).filter((day) => !known.has(day)));
  const byHour = new Map<number, Came>();
  for (const { hour, visitors, arrivals } of days.flatMap(({ hours }) => hours)) {
    const known = byHour.get(hour);
    // If the site's time zone was changed, two stored days may have counts for one local hour. So the counts are added.
    byHour.set(hour, {
      visitors: visitors + (known?.visitors ?? 0),
      arrivals: arrivals + (known?.arrivals ?? 0),
    });
  }
  return {
    from: days[0] && days[0].day * DAY,
    lastHit: days.length > 0 ? Math.max(...days.map(({ day, last }) => day * DAY + last)) : undefined,
    at: (hour) => byHour.get(hour / HOUR) ?? { visitors: 0, arrivals: 0 },
    isDeleted: (moment) => deleted.has(Math.floor(moment / DAY)),
  };
}

/**
 * Lists the moments one week, two weeks and up to 8 weeks before a moment. Moments before the site's first day with a
 * hit are left out, and so are moments of deleted days. If fewer than 4 moments are left, they do not show what is
 * usual, so the list is empty.
 */
export function weeksBefore({ from, isDeleted }: History, moment: number): number[] {
  const moments = Array.from({ length: WEEKS }, (_, i) => moment - (i + 1) * WEEK);
  const covered = moments.filter((one) => from !== undefined && one >= from && !isDeleted(one));
  return covered.length < LEAST_WEEKS ? [] : covered;
}

/**
 * Counts the visitors that arrived between two moments. A visitor counts once a day. If only half of an hour lies
 * between the two moments, half of this hour's visitors count.
 */
export function arrivalsBetween(history: History, from: number, to: number): number {
  let arrivals = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const part = (Math.min(hour + HOUR, to) - Math.max(hour, from)) / HOUR;
    arrivals += part * history.at(hour).arrivals;
  }
  return arrivals;
}
