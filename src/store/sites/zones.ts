// The time zone of a site, and its former time zones.
//
// Invariant: a change of the time zone never changes past days. Each day keeps the zone in which it was counted.
//
// Example: a site changes from UTC to Europe/Berlin on day 20,000. The row of this change says that UTC ended on day
// 20,000. New hits count for day 20,000 or later. api/sites.ts and the command `site change` change time zones.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { DAY } from '../../lib/time.ts';
import { findSiteDay, type SiteZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';

/**
 * SQL columns with the time zone of a site. `earliestDay` is the day of the zone's last change, in days since 1970. New
 * hits count for that day or later, because earlier days were counted in the former zone.
 */
export const ZONE = `site.time_zone AS timeZone,
  coalesce((SELECT max(day) FROM zone_change WHERE zone_change.site_id = site.id), 0) AS earliestDay`;

const findSiteZone = (db: Db, siteId: number): SiteZone | undefined =>
  db.one(`SELECT ${ZONE} FROM site WHERE id = ?`, siteId);

export const listZones = (db: Db): SiteZone[] =>
  db.all(`SELECT DISTINCT timeZone, earliestDay FROM (SELECT ${ZONE} FROM site) ORDER BY 1, 2`);

export const listSiteZones = (db: Db): (SiteZone & { siteId: number })[] =>
  db.all(`SELECT site.id AS siteId, ${ZONE} FROM site ORDER BY site.id`);

/** Lists the former time zones of a site, the oldest first. A zone ended at the time `at`, on the day `day`. */
export const listZoneChanges = (db: Db, siteId: number): { at: number; day: number; timeZone: string }[] =>
  db.all('SELECT at, day, time_zone AS timeZone FROM zone_change WHERE site_id = ? ORDER BY at', siteId);

/**
 * The most changes of a time zone in a day. Each report reads all changes of its site, and past changes are never
 * deleted. With a change each second, a report would take 0.1 s after a day.
 */
const CHANGES_PER_DAY = 20;

/** Throws if the time zone of a site has changed too often in the last 24 hours. */
export function assertRoomForZone(db: Db, siteId: number, now: number): void {
  const recent = listZoneChanges(db, siteId).filter(({ at }) => at > now - DAY);
  if (recent.length >= CHANGES_PER_DAY) {
    throw new Problem('limit_reached', { message: coded('most_zone_changes', { most: CHANGES_PER_DAY }) });
  }
}

/** Changes the time zone of a site. Past days stay as they were counted. Call this function inside a transaction. */
export function changeTimeZone(db: Db, siteId: number, timeZone: string, now: number): void {
  const before = findSiteZone(db, siteId);
  if (!before || before.timeZone === timeZone) return;
  // If the clock was ahead, a stored change may be in the future. Such a change is deleted, because it has not happened
  // yet.
  const [undone] = listZoneChanges(db, siteId).filter(({ at }) => at > now);
  db.run('DELETE FROM zone_change WHERE site_id = ? AND at > ?', siteId, now);
  db.run('UPDATE site SET time_zone = ? WHERE id = ?', timeZone, siteId);
  const { earliestDay } = findSiteZone(db, siteId) ?? before;
  db.run(
    `INSERT INTO zone_change (site_id, at, day, time_zone) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET day = max(day, excluded.day)`,
    siteId,
    now,
    findSiteDay({ ...before, earliestDay }, now),
    undone?.timeZone ?? before.timeZone,
  );
}

/**
 * Makes a function that finds the day of a site at an instant. The function returns undefined for a removed site. For
 * each site, the database is read once.
 */
export function makeDayFinder(db: Db, instant: number): (siteId: number) => number | undefined {
  const days = new Map<number, number | undefined>();
  return (siteId) => {
    if (!days.has(siteId)) {
      const zone = findSiteZone(db, siteId);
      days.set(siteId, zone && findSiteDay(zone, instant));
    }
    return days.get(siteId);
  };
}
