// The operator may accept a server with what it has, because no server with the same rows is complete. It may have
// stored a past day as visits, and then missed the deletion of the rows (hits). Then these hits would count twice.
// This file deletes such rows.
//
// Invariant: rows are deleted only if the server has the visits that were made from them. If it has only the rows,
// they stay and count, and become visits later.
//
// Example: servers A and B stored a day as visits at 00:01, and only B deleted its rows at 00:02. Then the disk of B
// is lost, and A is accepted. The rows of that day with numbers from before 00:01 are deleted on A. The command
// `daybook cluster accept` (src/cli/cluster.ts) calls `sweepAccepted`.
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import { Refusal } from '../../lib/errors.ts';
import { findReason } from '../../lib/reason.ts';
import type { Clock } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { connect } from '../servers/connect.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { findLowestNumber } from '../servers/row-numbers.ts';
import { removeRows, type SealedRows } from './sweep.ts';

/**
 * Connects to a server that the operator accepts with what it has. Deletes rows on it that it should have deleted when
 * their day was stored as visits. Otherwise these hits would count twice.
 */
export async function sweepAccepted(text: string, db: Db, clock: Clock, url: string): Promise<void> {
  const { nodes } = await connect(text, db, clock);
  const node = nodes.all.find((one) => one.url === url);
  if (!node) throw new Refusal(`--engine does not name ${url}`);
  try {
    // daybook writes a mark to each server. Without it, the server has a new disk and no rows to delete.
    if ((await readBeat({ db, nodes }, node)) === 0) return;
    for (const [day, own] of Map.groupBy(await listLeft({ db, nodes }, node), (one) => one.day))
      await removeRows(nodes, node, day, own);
  } catch (error) {
    throw new Refusal(`${url} must answer, because it may have missed the sweep of a day: ${findReason(error)}`);
  } finally {
    nodes.close();
  }
}

/**
 * Lists past days of which a server has stored visits, and also the rows (hits) from which the visits were made. Such
 * hits would count twice, so the rows must be deleted.
 */
async function listLeft({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<SealedRows[]> {
  const sql = `SELECT site AS siteId, day, groupUniqArray(slice) AS ids FROM visit
    WHERE (site, day) IN (SELECT DISTINCT site, day FROM activity) GROUP BY site, day`;
  const found = await nodes.askOne<SiteDay & { ids: number[] }>(node, sql);
  return found.flatMap(({ siteId, day, ids }) =>
    listSlices(db, siteId, day, day + 1)
      .filter(({ id, after }) => after === 0 && ids.includes(id))
      // `after` says up to which row number a day was sealed. The sweep that deleted these rows on the other servers
      // has set it to 0. Row numbers are made from the time, and all sealed rows came before the time of sealing
      // (`at`). So the highest number of that second is used instead.
      .map(({ at }) => ({ siteId, day, after: findLowestNumber((at + 1) * 1000) - 1 })),
  );
}
