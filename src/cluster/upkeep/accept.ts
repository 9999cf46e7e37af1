// If no replica of a server is complete, an operator may accept the server with the rows it has. Such a server may have
// sealed a day, and missed the deletion of the hits. Then these hits would count twice. This file deletes such hits.
//
// Invariant: rows are deleted only if the server has the visits that were made from them. If the server has only the
// rows, they stay and count, and become visits later. Then the visits of these rows are taken out of the totals of the
// sealed day.
//
// Example: servers A and B sealed a day at 00:01, and only B deleted its rows at 00:02. Then the disk of B is lost, and
// A is accepted. The rows of that day with numbers from before 00:01 are deleted on A. The command `daybook cluster
// accept` (src/cli/cluster.ts) calls `sweepAccepted`.
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import { Refusal } from '../../lib/errors.ts';
import { findReason } from '../../lib/reason.ts';
import type { Clock } from '../../lib/time.ts';
import type { Totals } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { groupServers, haveEveryShard } from '../servers/complete.ts';
import { connect } from '../servers/connect.ts';
import { readBeat } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { findLowestNumber } from '../servers/row-numbers.ts';
import { type SliceId, sumSlices } from './seal.ts';
import { removeRows, type SealedRows } from './sweep.ts';

/** A sealed day whose totals are too high, because a part of its visits is lost and counts as rows. */
type Corrected = { id: number; totals: Totals };

/**
 * Deletes rows of sealed days on a server that the operator accepts. Otherwise the hits in these rows would count
 * twice. Gives corrected totals for sealed days whose rows are on the server, but whose visits are not. Only the visits
 * on the other shards count in these totals.
 */
export async function sweepAccepted(text: string, db: Db, clock: Clock, url: string): Promise<Corrected[]> {
  const { nodes } = await connect(text, db, clock);
  const node = nodes.all.find((one) => one.url === url);
  if (!node) throw new Refusal(`--engine does not name ${url}`);
  try {
    // daybook writes a mark to each server. A server without a mark has a new disk, and no rows to delete.
    if ((await readBeat({ db, nodes }, node)) === 0) return [];
    for (const [day, own] of Map.groupBy(await listLeft({ db, nodes }, node), (one) => one.day))
      await removeRows(nodes, node, day, own);
    return await listCorrected({ db, nodes }, node);
  } catch (error) {
    throw new Refusal(`${url} must answer, because it may have missed the sweep of a day: ${findReason(error)}`);
  } finally {
    nodes.close();
  }
}

/** Lists sealed days whose rows a server still has. */
async function listLeft({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<SealedRows[]> {
  const sql = `SELECT site AS siteId, day, groupUniqArray(slice) AS ids FROM visit
    WHERE (site, day) IN (SELECT DISTINCT site, day FROM activity) GROUP BY site, day`;
  const found = await nodes.askOne<SiteDay & { ids: number[] }>(node, sql);
  return found.flatMap(({ siteId, day, ids }) =>
    listSlices(db, siteId, day, day + 1)
      .filter(({ id, after }) => after === 0 && ids.includes(id))
      // `after` says up to which row number a day was sealed. The sweep on the other servers has set it to 0. Row
      // numbers grow with time, and all sealed rows came before the time of sealing (`at`). So `after` becomes the
      // highest row number that was possible at that time.
      .map(({ at }) => ({ siteId, day, after: findLowestNumber((at + 1) * 1000) - 1 })),
  );
}

/**
 * Lists sealed days whose rows are on a server, but whose visits are not. Only the visits on the other shards count in
 * their totals. If another shard has no complete server, the list is empty.
 */
async function listCorrected({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<Corrected[]> {
  const others = nodes.listComplete().filter(({ shard }) => shard !== node.shard);
  if (!haveEveryShard(others, nodes.shards - 1)) return [];
  const days = await nodes.askOne<SiteDay>(node, 'SELECT DISTINCT site AS siteId, day FROM activity');
  const sealed = days.flatMap(({ siteId, day }): (SliceId & SealedRows)[] =>
    listSlices(db, siteId, day, day + 1)
      .filter(({ hasHits }) => hasHits === 1)
      .map(({ id, after }) => ({ siteId, id, day, after })),
  );
  if (sealed.length === 0) return [];
  const ids = sealed.map(({ id }) => id).join();
  const own = await nodes.askOne<{ id: number }>(
    node,
    `SELECT DISTINCT slice AS id FROM visit WHERE slice IN (${ids})`,
  );
  const lost = sealed.filter(({ id }) => !own.some((one) => one.id === id));
  if (lost.length === 0) return [];
  await removeUnswept(nodes, others, lost);
  return [...(await sumSlices(nodes, lost, groupServers(others, {}).askEach))].map(([id, totals]) => ({ id, totals }));
}

/**
 * Deletes rows of sealed days that no sweep has deleted yet, on the servers that have the visits. After that the rows
 * on the accepted server count (`after` becomes 0), and these rows would count twice.
 */
async function removeUnswept(nodes: Nodes, servers: readonly Node[], lost: readonly SealedRows[]): Promise<void> {
  const unswept = Map.groupBy(
    lost.filter(({ after }) => after > 0),
    ({ day }) => day,
  );
  for (const [day, own] of unswept) for (const node of servers) await removeRows(nodes, node, day, own);
}
