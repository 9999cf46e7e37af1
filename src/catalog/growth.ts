import type { Db } from '../store/db.ts';
import { listSealedSince } from './sealed-days.ts';

const DAYS = 30;

/**
 * Lists the sealed days (packed past days) of the last 30 days, of one site or of all. From their size follows how fast
 * the file grows. `days` is in how many days they came: 30, or fewer on a new server.
 */
export function listGrown(db: Db, today: number, siteId?: number): { from: number; ids: number[]; days: number } {
  const from = today - DAYS;
  const { ids, first = today } = listSealedSince(db, from, siteId);
  return { from, ids, days: Math.min(DAYS, Math.max(1, today - first)) };
}
