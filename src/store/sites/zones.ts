import { dayOfSite, type SiteZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';

/** The zone of a site, as columns of a query on `site`. */
export const ZONE = `site.time_zone AS timeZone,
  coalesce((SELECT max(day) FROM zone_change WHERE zone_change.site_id = site.id), 0) AS earliestDay`;

/** Undefined for a site that is gone. */
const findSiteZone = (db: Db, siteId: number): SiteZone | undefined =>
  db.one(`SELECT ${ZONE} FROM site WHERE id = ?`, siteId);

/** The zones that sites have, each once. */
export const listZones = (db: Db): SiteZone[] =>
  db.all(`SELECT DISTINCT timeZone, earliestDay FROM (SELECT ${ZONE} FROM site) ORDER BY 1, 2`);

export const listSiteZones = (db: Db): (SiteZone & { siteId: number })[] =>
  db.all(`SELECT site.id AS siteId, ${ZONE} FROM site ORDER BY site.id`);

/** The zones that a site had, each until an instant and the day that was running then, in order of time. */
export const listZoneChanges = (db: Db, siteId: number): { at: number; day: number; timeZone: string }[] =>
  db.all('SELECT at, day, time_zone AS timeZone FROM zone_change WHERE site_id = ? ORDER BY at', siteId);

/** Gives a site another zone from now on; its days that are over stay as they were counted. Call it inside a transaction. */
export function changeTimeZone(db: Db, siteId: number, timeZone: string, now: number): void {
  const before = findSiteZone(db, siteId);
  if (!before || before.timeZone === timeZone) return;
  // What was changed while the clock was ahead of this one has not happened yet.
  const [undone] = listZoneChanges(db, siteId).filter(({ at }) => at > now);
  db.run('DELETE FROM zone_change WHERE site_id = ? AND at > ?', siteId, now);
  db.run('UPDATE site SET time_zone = ? WHERE id = ?', timeZone, siteId);
  const { earliestDay } = findSiteZone(db, siteId) ?? before;
  db.run(
    `INSERT INTO zone_change (site_id, at, day, time_zone) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET day = max(day, excluded.day)`,
    siteId,
    now,
    dayOfSite({ ...before, earliestDay }, now),
    undone?.timeZone ?? before.timeZone,
  );
}

/** The running day of each site at an instant, looked up once; undefined for a site that is gone. */
export function daysOfSites(db: Db, instant: number): (siteId: number) => number | undefined {
  const days = new Map<number, number | undefined>();
  return (siteId) => {
    if (!days.has(siteId)) {
      const zone = findSiteZone(db, siteId);
      days.set(siteId, zone && dayOfSite(zone, instant));
    }
    return days.get(siteId);
  };
}
