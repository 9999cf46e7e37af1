import { listShownImports } from '../../catalog/imports.ts';
import type { Db } from '../../store/db.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';

/**
 * Deletes the rows of imports from the table `brought`, which has imported rows until their days are sealed. Each
 * import has a partition of its own. ClickHouse drops a partition as a whole, so deleting is fast.
 */
export async function dropBrought(nodes: Nodes, importIds: readonly number[]): Promise<void> {
  for (const id of importIds) await nodes.everywhere(`ALTER TABLE brought DROP PARTITION ${id}`);
}

/** Counts the imported hits of open days, by import and day. Failed imports do not count. */
export async function countImported({ db, nodes }: { db: Db; nodes: Nodes }, siteId: number) {
  const rows = await nodes.ask<{ importId: number; day: number; hits: number }>(
    `SELECT import AS importId, day, countIf(engaged = 0) AS hits FROM activity
     WHERE site = ${siteId} AND import <> 0 GROUP BY importId, day`,
  );
  const openDays = new Map(listShownImports(db, siteId).map(({ id, openDay }) => [id, openDay]));
  return sumRows(rows, ['importId', 'day']).filter(({ importId, day }) => openDays.get(importId) === day);
}
