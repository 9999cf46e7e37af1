import type { Db } from '../../store/db.ts';
import { findUpkeep, noteUpkeep } from '../../store/server/upkeep.ts';

/**
 * Notes the row number `after`. Past days are now sealed with their rows up to this number, which all complete servers
 * have received. After sealing, the rows are deleted from the servers. An older copy of the outbox file may still have
 * these rows. If the outbox sent them again, their hits would count twice. So at its start, the primary removes all
 * rows up to this number from the outbox (cluster/engine.ts).
 */
export function noteSealed(db: Db, { after, now }: { after: number; now: number }): void {
  const words = String(Math.max(after, findSealed(db)));
  noteUpkeep(db, 'sealed', { at: now, fine: true, words });
}

/** Gives the highest row number up to which rows of past days were sealed, or 0 if no day was sealed yet. */
export const findSealed = (db: Db): number => Number(findUpkeep(db, 'sealed')?.words ?? 0);
