import { listGrown } from '../../catalog/growth.ts';
import { findLastSealed } from '../../catalog/sealed-days.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { sumBytes } from '../column/blobs.ts';
import { findLastMoment } from '../rows/hits.ts';

/** Gives how many bytes a day takes on average, for the latest sealed days of one site or of all sites. */
export function growth(db: Db, today: number, siteId?: number): number {
  const { ids, days } = listGrown(db, today, siteId);
  return sumBytes(db, ids) / days;
}

/** Gives the moment of the last collected hit, or the start of the last sealed day if that is later. */
export const lastHit = (db: Db): number => Math.max(findLastMoment(db), (findLastSealed(db) ?? 0) * DAY);
