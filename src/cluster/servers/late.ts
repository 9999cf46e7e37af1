// A server is late if it has not received some rows of the primary or a collector. The running server and each command
// ask late servers only after the others.
import { type Clock, seconds } from '../../lib/time.ts';
import { listBehind } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import { findUpkeep, noteUpkeep } from '../../store/server/upkeep.ts';

/**
 * Notes in the database file which servers are late, so that commands know. Never throws: on a full disk the note is
 * not written, and rows are sent nevertheless.
 */
export function noteLate(db: Db, clock: Clock, behind: Iterable<{ url: string }>): void {
  const words = [...behind].map(({ url }) => url).join(' ');
  if ((findUpkeep(db, 'behind')?.words ?? '') === words) return;
  try {
    noteUpkeep(db, 'behind', { at: seconds(clock), fine: true, words });
  } catch {
    // Without the note, a command may ask a late server first.
  }
}

/** Lists the URLs of servers that have not received some hits of the primary. */
export const listNotedLate = (db: Db): Set<string> => new Set(findUpkeep(db, 'behind')?.words.split(' '));

export const listLate = (db: Db): Set<string> => new Set([...listBehind(db), ...listNotedLate(db)]);
