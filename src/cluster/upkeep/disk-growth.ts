import { listGrown } from '../../catalog/growth.ts';
import type { Db } from '../../store/db.ts';
import type { Nodes } from '../servers/nodes.ts';

/**
 * Measures how many bytes of visits are added each day, as an average of the last 30 days. If the first sealed day is
 * more recent, the average is of fewer days. Without `siteId`, all sites are counted. Of each shard, only one replica
 * is counted.
 */
export async function measureGrowth(
  { db, nodes }: { db: Db; nodes: Nodes },
  today: number,
  siteId?: number,
): Promise<number> {
  const { from, days } = listGrown(db, today, siteId);
  const where = `day >= ${from}${siteId === undefined ? '' : ` AND site = ${siteId}`}`;
  // ClickHouse knows the bytes of the whole table only. The bytes since `from` are estimated by the share of rows.
  const own = `SELECT (SELECT count() FROM visit WHERE ${where}) * sum(bytes_on_disk) / greatest(1, sum(rows)) AS bytes
    FROM system.parts WHERE active AND database = currentDatabase() AND table = 'visit'`;
  const found = await nodes.ask<{ bytes: number | null }>(own);
  return found.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) / days;
}
