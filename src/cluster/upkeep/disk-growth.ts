import { listGrown } from '../../catalog/growth.ts';
import type { Db } from '../../store/db.ts';
import type { Nodes } from '../servers/nodes.ts';

/** The average bytes of a sealed day in recent days, of one site or of all. Replicas are not counted twice. */
export async function measureGrowth(
  { db, nodes }: { db: Db; nodes: Nodes },
  today: number,
  siteId?: number,
): Promise<number> {
  const { from, days } = listGrown(db, today, siteId);
  const where = `day >= ${from}${siteId === undefined ? '' : ` AND site = ${siteId}`}`;
  // A site's share of the bytes is its share of the rows.
  const own = `SELECT (SELECT count() FROM visit WHERE ${where}) * sum(bytes_on_disk) / greatest(1, sum(rows)) AS bytes
    FROM system.parts WHERE active AND database = currentDatabase() AND table = 'visit'`;
  const found = await nodes.ask<{ bytes: number | null }>(own);
  return found.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) / days;
}
