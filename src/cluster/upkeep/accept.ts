// If no replica of a server is complete, an operator may accept the server with the rows it has. Such a server may have
// sealed a day (made visits from its rows), but missed the deletion of these rows. Then hits would count twice: as rows
// and in visits. This file deletes such rows.
//
// Invariant: rows are deleted only if the server has the visits that were made from them. If the server has only the
// rows, they stay and count, and become visits later. The stored totals of the sealed day include the lost visits of
// these rows, so the totals are corrected.
//
// Example: servers A and B sealed a day at 00:01, and only B deleted its rows at 00:02. Then the disk of B is lost, and
// A is accepted. The rows of that day with numbers from before 00:01 are deleted on A. The command `daybook cluster
// accept` (src/cli/cluster.ts) calls `sweepAccepted`.
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import { Refusal } from '../../lib/errors.ts';
import { findReason } from '../../lib/reason.ts';
import type { Clock } from '../../lib/time.ts';
import type { Totals } from '../../stats/aggregates.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { groupServers, haveEveryShard } from '../servers/complete.ts';
import { connect } from '../servers/connect.ts';
import { hasCopiedDisk } from '../servers/copied-disks.ts';
import { assertPlace, readBeat } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { namePlace, WrongPlace } from '../servers/places.ts';
import { findLowestNumber } from '../servers/row-numbers.ts';
import { type SliceId, sumSlices } from './seal.ts';
import { removeRows, type SealedRows } from './sweep.ts';

/**
 * A sealed day with its corrected totals. The old totals also count visits that are lost. The hits of these visits are
 * still there as rows, and count as rows.
 */
type Corrected = { id: number; totals: Totals };

/**
 * `owner` is the replica whose disk was copied to the accepted server, for example from a backup. Undefined if the
 * server has its own disk. Outboxes note which rows arrived at each place (shard and replica). So the accepted server
 * and `owner` must exchange their places.
 */
type Accepted = { corrected: Corrected[]; owner: Node | undefined };

/**
 * Deletes rows of sealed days on a server that the operator accepts. Otherwise the hits in these rows would count
 * twice. Gives corrected totals for sealed days whose rows are on the server, but whose visits are not. Only the visits
 * on the other shards count in these totals.
 */
export async function sweepAccepted(text: string, db: Db, clock: Clock, url: string): Promise<Accepted> {
  const { nodes } = await connect(text, db, clock);
  const named = nodes.all.find((one) => one.url === url);
  if (!named) throw new Refusal(`--engine does not name ${url}`);
  try {
    const owner = await findOwner({ db, nodes }, named);
    const node = owner ? { ...named, replica: owner.replica } : named;
    const left = (await hasMark({ db, nodes }, node)) ? await listLeft({ db, nodes }, node) : [];
    for (const [day, own] of Map.groupBy(left, (one) => one.day)) await removeRows(nodes, node, day, own);
    return { corrected: await listCorrected({ db, nodes }, node), owner };
  } catch (error) {
    if (error instanceof WrongPlace) throw error;
    throw new Refusal(`${url} must answer, because it may have missed the sweep of a day: ${findReason(error)}`);
  } finally {
    nodes.close();
  }
}

/**
 * Finds the replica whose disk was copied to a server. Gives undefined if the server has its own disk. Throws if the
 * name of the server leads to another server.
 */
async function findOwner({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<Node | undefined> {
  try {
    await assertPlace(nodes, node, findInstallation(db)?.name);
    return undefined;
  } catch (error) {
    if (!(error instanceof WrongPlace)) throw error;
    const { place } = error;
    const owner = nodes.all.find((one) => one.shard === node.shard && namePlace(one) === place);
    if (owner && (await hasCopiedDisk({ db, nodes }, node, place, { mayBeNew: true }))) return owner;
    throw error;
  }
}

/**
 * True if a server has daybook's mark. A server without a mark has a new disk, without rows and maybe without tables.
 */
const hasMark = async (deps: { db: Db; nodes: Nodes }, node: Node): Promise<boolean> =>
  (await readBeat(deps, node)) > 0;

/** Lists the sealed days whose visits a server has, if it still has their rows too. */
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
 * Finds sealed days whose rows are on a server, but whose visits are not, and computes their totals anew. A visit
 * counts only if at least one server has it. If another shard has no complete server yet, the list is empty. The
 * primary cannot start before a server of that shard is accepted too. At that time, the totals are computed again with
 * all servers.
 */
async function listCorrected({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<Corrected[]> {
  const all = [node, ...nodes.listComplete().filter(({ shard }) => shard !== node.shard)];
  if (!haveEveryShard(all, nodes.shards)) return [];
  const marked = await Promise.all(all.map((one) => hasMark({ db, nodes }, one)));
  const servers = all.filter((_, i) => marked[i]);
  const held = await Promise.all(servers.map((one) => readHeld({ db, nodes }, one)));
  const lost = new Map(held.flatMap((one) => one.lost).map((slice) => [slice.id, slice]));
  if (lost.size === 0) return [];
  for (const { server, ids } of held)
    await removeUnswept(
      nodes,
      server,
      [...lost.values()].filter(({ id }) => ids.has(id)),
    );
  const totals = await sumSlices(nodes, [...lost.values()], groupServers(servers, {}).askEach);
  return [...totals].map(([id, own]) => ({ id, totals: own }));
}

type Lost = SliceId & SealedRows;

/**
 * Compares the rows of a server with its visits. `lost` has the sealed days whose rows are there, but whose visits are
 * not. `ids` has the sealed days whose visits are there.
 */
async function readHeld({ db, nodes }: { db: Db; nodes: Nodes }, server: Node) {
  const days = await nodes.askOne<SiteDay>(server, 'SELECT DISTINCT site AS siteId, day FROM activity');
  const sealed = days.flatMap(({ siteId, day }): Lost[] =>
    listSlices(db, siteId, day, day + 1)
      .filter(({ hasHits }) => hasHits === 1)
      .map(({ id, after }) => ({ siteId, id, day, after })),
  );
  const visits = await nodes.askOne<{ id: number }>(server, 'SELECT DISTINCT slice AS id FROM visit');
  const ids = new Set(visits.map(({ id }) => id));
  return { server, ids, lost: sealed.filter(({ id }) => !ids.has(id)) };
}

/**
 * Another server has lost the visits of the days in `lost`, but still has the rows. `after` is the row number up to
 * which the rows of a day were sealed. Soon after this call, `daybook cluster accept` sets `after` to 0, so that the
 * rows of the other server count. `server` has the visits, and may have the rows too. So this function deletes the rows
 * there. Otherwise their hits would count twice.
 */
async function removeUnswept(nodes: Nodes, server: Node, lost: readonly SealedRows[]): Promise<void> {
  const unswept = Map.groupBy(
    lost.filter(({ after }) => after > 0),
    ({ day }) => day,
  );
  for (const [day, own] of unswept) await removeRows(nodes, server, day, own);
}
