import type { Db } from '../../store/db.ts';
import { findUpkeep, noteUpkeep } from '../../store/server/upkeep.ts';

/**
 * Notes the row number `after` up to which days are sealed now. All complete servers have received all rows up to this
 * number. The rows are deleted after sealing. An older copy of the outbox may still have such rows. If they were sent
 * again, they would count twice. So at its start, the primary removes rows up to this number from the outbox
 * (cluster/engine.ts).
 */
export function noteSealed(db: Db, { after, now }: { after: number; now: number }): void {
  const words = String(Math.max(after, findSealed(db)));
  noteUpkeep(db, 'sealed', { at: now, fine: true, words });
}

/** Gives the row number up to which days were sealed, or 0 if no day was sealed. */
export const findSealed = (db: Db): number => Number(findUpkeep(db, 'sealed')?.words ?? 0);
