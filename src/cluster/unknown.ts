import { lastDayId, skipDayIds } from '../catalog/day-states.ts';
import type { Db } from '../store/statements.ts';
import type { Nodes } from './nodes.ts';

/**
 * Gives the ids of days on the cluster to no other ones where the file does not know them, because it was restored from a copy that is
 * older than they are. Says whether there were any.
 */
export async function skipUnknown({ db, nodes }: { db: Db; nodes: Nodes }): Promise<boolean> {
  const found = await nodes.ask<{ last: number }>('SELECT max(part) AS last FROM tally');
  const last = Math.max(...found.map((shard) => shard.last));
  if (last <= lastDayId(db)) return false;
  db.write(() => skipDayIds(db, last));
  return true;
}
