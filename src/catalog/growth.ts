import type { Db } from '../store/db.ts';
import { listSealedSince } from './sealed-days.ts';

const DAYS = 30;

/**
 * Lists the ids of the sealed days of the last 30 days. Their size shows how fast the stored data grows. `days` is 30,
 * or fewer if the first sealed day is more recent. With `siteId`, lists only the days of this site.
 */
export function listGrown(db: Db, today: number, siteId?: number): { from: number; ids: number[]; days: number } {
  const from = today - DAYS;
  const { ids, first = today } = listSealedSince(db, from, siteId);
  return { from, ids, days: Math.min(DAYS, Math.max(1, today - first)) };
}
