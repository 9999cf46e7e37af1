import { listGrown } from '../../catalog/growth.ts';
import { findLastSealed } from '../../catalog/sealed-days.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { sumBytes } from '../column/blobs.ts';
import { findLastMoment } from '../rows/hits.ts';

/**
 * Gives how many bytes a day takes on the disk. This is the average of the latest sealed (past) days of one site, or of
 * all sites.
 */
export function growth(db: Db, today: number, siteId?: number): number {
  const { ids, days } = listGrown(db, today, siteId);
  return sumBytes(db, ids) / days;
}

/**
 * Gives about the moment of the latest hit, in seconds since 1970. If no newer hit is stored as a row, this is the
 * start of the latest sealed day. Reading the columns of that day would take longer.
 */
export const lastHit = (db: Db): number => Math.max(findLastMoment(db), (findLastSealed(db) ?? 0) * DAY);
