import { lastSealed, sealedSince } from '../../catalog/sealed-days.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { bytesOf } from '../column/blobs.ts';
import { lastMoment } from '../rows/hits.ts';

const DAYS = 30;

/** Average bytes per sealed day over the last `DAYS` days, of one site or of all. */
export function growth(db: Db, today: number, siteId?: number): number {
  const { ids, first = today } = sealedSince(db, today - DAYS, siteId);
  return bytesOf(db, ids) / Math.min(DAYS, Math.max(1, today - first));
}

/** The moment of the last collected hit or the start of the last sealed day, whichever is later. */
export const lastHit = (db: Db): number => Math.max(lastMoment(db), (lastSealed(db) ?? 0) * DAY);
