import { listGrown } from '../../catalog/growth.ts';
import { findLastSealed } from '../../catalog/sealed-days.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { sumBytes } from '../column/blobs.ts';
import { findLastMoment } from '../rows/hits.ts';

/**
 * Returns how many bytes the sealed days of the last 30 days take, divided by the number of days. The stored data grows
 * by about this much each day. Without `siteId`, the data of all sites is added up.
 */
export function growth(db: Db, today: number, siteId?: number): number {
  const { ids, days } = listGrown(db, today, siteId);
  return sumBytes(db, ids) / days;
}

/**
 * Returns roughly the time of the latest hit, in seconds since 1970. If no row is later than the latest sealed day,
 * returns the start of that day. Reading the seconds of a sealed day would take longer.
 */
export const lastHit = (db: Db): number => Math.max(findLastMoment(db), (findLastSealed(db) ?? 0) * DAY);
