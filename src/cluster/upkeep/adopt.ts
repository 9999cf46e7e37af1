// Adoption connects a cluster with this database file. The cluster belonged to another daybook.db, or to a newer copy
// of this file. Its servers may have sites and sealed days that this file does not know (unknown rows).
//
// Invariant: unknown rows count in no answer. New sites, imports and sealed days never get an id that unknown rows
// have. Only the command `daybook cluster unknown --delete` deletes unknown rows.
//
// Example: the database file was restored from a backup. The newest site in the file has the id 7, but the cluster has
// rows of site 9. The file notes that site 9 is unknown, and the next site gets the id 10. The commands `daybook
// cluster adopt` and `daybook cluster unknown` (src/cli/cluster.ts) call `openAdoption`.

import { findLastDayId, isDayKnown, skipDayIds } from '../../catalog/day-ids.ts';
import { markDayGone } from '../../catalog/day-states.ts';
import { findLastImportId, skipImportIds } from '../../catalog/imports.ts';
import { Refusal } from '../../lib/errors.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import {
  changeServerState,
  countShards,
  forgetBeat,
  type LackReason,
  listServers,
  type Server,
  setServers,
} from '../../store/cluster/cluster-servers.ts';
import { addDivision } from '../../store/cluster/divisions.ts';
import { findInstallation, nameInstallation, skipBeats } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { findLastSiteId, hasSite, noteUnknownSite, skipSiteIds, wasRemoved } from '../../store/sites/sites.ts';
import { findFirstFreeDay } from '../outbox/hold.ts';
import { connect } from '../servers/connect.ts';
import { type LostDay, listLostDays, noteDeletedVisits, SELECT_DAYS, type StoredDay } from '../servers/lost-days.ts';
import { NEWEST_IMPORT, raiseMarks } from '../servers/marks.ts';
import { type Node, type Nodes, sumRows } from '../servers/nodes.ts';
import { namePlace, WrongPlace } from '../servers/places.ts';
import { retireAgain } from '../servers/restored-collectors.ts';
import { removeSlices } from './seal.ts';

type Deps = { db: Db; nodes: Nodes; clock: Clock };

/**
 * Rows on the cluster that count in no answer, because the database file does not know their site or day. For example,
 * the file is an old backup.
 */
export type Unknown = { siteId: number; rows: number };

const TABLES = ['activity', 'brought', 'crawled', 'dropped'] as const;

/** Connects to a cluster that belongs to another database file. A normal connection would be refused. */
export async function openAdoption(text: string, db: Db, clock: Clock) {
  const deps: Deps = { db, clock, nodes: (await connect(text, db, clock, { as: 'adopter' })).nodes };
  return {
    listUnknown: () => listUnknown(deps),
    listLost: () => listLost(deps),
    deleteUnknown: () => deleteUnknown(deps),
    adopt: () => adopt(deps),
  };
}

/**
 * Counts the rows of sites and sealed days that the database file does not know. The operator sees these numbers before
 * the adoption.
 */
async function listUnknown({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<Unknown[]> {
  const isKnown = (siteId: number) => hasSite(db, siteId) || wasRemoved(db, siteId);
  const counts = TABLES.map((table) => `SELECT site AS siteId, count() AS rows FROM ${table} GROUP BY siteId`);
  const arrived = await countMost<Unknown>({ nodes }, counts.join(' UNION ALL '), ['siteId']);
  const slices = (await listUnknownSlices({ db, nodes })).map(({ siteId, rows }): Unknown => ({ siteId, rows }));
  const all = [...arrived.filter(({ siteId }) => !isKnown(siteId)), ...slices];
  return sumRows(all, ['siteId']).sort((one, other) => one.siteId - other.siteId);
}

async function deleteUnknown({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const sites = (await listUnknown({ db, nodes })).map(({ siteId }) => siteId).filter((id) => !hasSite(db, id));
  const slices = await listUnknownSlices({ db, nodes });
  for (const table of sites.length === 0 ? [] : TABLES)
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site IN (${sites.join()})`, { mutations_sync: '1' });
  for (const table of slices.length === 0 ? [] : (['visit', 'tally'] as const))
    await removeSlices(nodes, slices, table);
}

/**
 * Lists sealed days of the database file that no server has. If a server does not respond, the list is empty: that
 * server may have the days.
 */
async function listLost({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<LostDay[]> {
  const asked = nodes.all.map((node) => nodes.askOne<StoredDay>(node, SELECT_DAYS).catch(() => undefined));
  const found = (await Promise.all(asked)).filter((ids) => ids !== undefined);
  return found.length < nodes.all.length ? [] : listLostDays(db, found.flat());
}

/**
 * Makes the cluster belong to this database file. New sites get unused ids, so an unknown row never counts for a new
 * site. Answers no longer count sealed days that no server has, because only their totals are left. The marks on the
 * servers decide which servers are complete (`judgeServers`).
 */
async function adopt({ db, nodes, clock }: Deps): Promise<void> {
  const found = await readNewest({ db, nodes });
  const marks = found.map(({ newest }) => newest);
  const most = (name: Exclude<keyof Newest, 'place' | 'retired'>) => Math.max(...marks.map((one) => one[name]));
  const [site, day, importId, beat] = [most('site'), most('day'), most('importId'), most('beat')];
  if (most('others') > 0 && findLastSiteId(db) > 0)
    throw new Refusal(
      'the cluster belongs to another daybook.db, and this file has sites too. Their ids would collide. Name another database in --engine',
    );
  if (most('shards') > nodes.shards)
    throw new Refusal(
      `the cluster has ${most('shards')} shards, but --engine names servers of ${nodes.shards}. Name all servers in --engine and in remote_servers`,
    );
  const silent = nodes.all.find((node) => !found.some((one) => one.node === node));
  // A server that does not respond may have the newest rows. If the other servers became complete now, a later fill
  // would replace these newest rows by the older ones. So all servers must respond.
  if (silent)
    throw new Refusal(
      `${silent.url} does not answer, and may have newer rows than the others. Start it, or start ClickHouse there on a new disk`,
    );
  assertPlaces(db, found);
  const unknown = await listUnknown({ db, nodes });
  const lost = await listLost({ db, nodes });
  const before = countShards(db);
  const firstDay = await findFirstDay({ db, nodes, clock }, before);
  await takeMarks({ db, nodes }, found);
  db.write(() => {
    for (const { siteId } of unknown) if (!hasSite(db, siteId)) noteUnknownSite(db, siteId);
    for (const { id } of lost) markDayGone(db, id);
    skipSiteIds(db, Math.max(site, findLastSiteId(db)));
    skipDayIds(db, Math.max(day, findLastDayId(db)));
    skipImportIds(db, Math.max(importId, findLastImportId(db)));
    nameInstallation(db);
    retireAgain(db, marks, seconds(clock));
    skipBeats(db, beat);
    setServers(db, nodes.all);
    if (before > 0 && before < nodes.shards) addDivision(db, { day: firstDay, shards: nodes.shards }, before);
    for (const { url } of nodes.all) forgetBeat(db, url);
    for (const { url, change } of judgeServers(found, listServers(db)))
      changeServerState(db, url, { ...change, now: seconds(clock) });
  });
  const stored = await nodes.askEach((node) => nodes.askOne<StoredDay>(node, SELECT_DAYS));
  db.write(() =>
    noteDeletedVisits(
      db,
      stored.flatMap(({ result }) => result),
    ),
  );
  await raiseMarks({ db, nodes }, nodes.listComplete());
}

const isElsewhere = ({ node, newest }: Held): boolean => newest.place !== namePlace(node);

/**
 * Lists servers that have a copy of another server's disk. The mark on such a disk names the place (shard and replica)
 * of the other server. The other server must have its own mark, or be no longer in the cluster. Otherwise the name of
 * one server may lead to the other server. Servers without a mark of this installation are listed too.
 */
const listCopies = (found: readonly Held[]): Held[] =>
  found.filter(isElsewhere).filter(({ newest }) => {
    const owner = found.find(({ node }) => namePlace(node) === newest.place);
    return !owner || owner.newest.place === newest.place;
  });

/**
 * Throws if the host name of a server A leads to another server B of this cluster. The adoption would write the place
 * of A into the mark of B. Outboxes note for each place which rows have arrived there, so B would get hits twice or
 * never.
 */
function assertPlaces(db: Db, found: readonly Held[]): void {
  const inUse = new Set(listServers(db).flatMap(({ url, state }) => (state === 'lacking' ? [] : [url])));
  const copies = listCopies(found);
  for (const one of found.filter(isElsewhere))
    if (inUse.has(one.node.url) && !copies.includes(one)) throw new WrongPlace(one.node, one.newest.place);
}

/**
 * The cluster may have more shards than the database file knows, because the file is older than some shards. Gives the
 * first open day whose visitors are divided among all shards. On this day, the added shards have their oldest live
 * rows. If the added shards have no live rows, the result is the first day that has not begun in any time zone. If the
 * result were too late, visitors of an open day would be on two shards, and count twice
 * (test/cluster/grow/older-file.test.ts).
 */
async function findFirstDay({ nodes, clock }: Deps, before: number): Promise<number> {
  const oldest = 'SELECT day FROM activity WHERE import = 0 ORDER BY day LIMIT 1';
  const added = nodes.all.filter(({ shard }) => shard >= before);
  const found = await Promise.all(added.map((node) => nodes.askOne<{ day: number }>(node, oldest)));
  return Math.min(findFirstFreeDay(seconds(clock)), ...found.flat().map(({ day }) => day));
}

/**
 * Writes the name of this installation, and the place of the server (its shard and replica), into each mark. The marks
 * keep their numbers (beats), which show how new the disk of a server is. So if the command is killed at this step, its
 * next run still finds which servers have older disks. Test: test/cluster/upkeep/adopt.test.ts.
 */
async function takeMarks({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, found: readonly Held[]): Promise<void> {
  db.write(() => nameInstallation(db));
  const { name = '' } = findInstallation(db) ?? {};
  await Promise.all(
    found.map(async ({ node }) => {
      const place = namePlace(node);
      const statements = [
        `INSERT INTO mark (installation, beat, site, day, shards, place, retired)
          SELECT '${name}', max(beat) AS newest, max(site), max(day), argMax(shards, beat), '${place}', argMax(retired, beat) FROM mark HAVING newest > 0`,
        `ALTER TABLE mark DELETE WHERE installation <> '${name}' OR place <> '${place}'`,
      ];
      for (const sql of statements) await nodes.run(node, sql, {}, { mutations_sync: '1' });
    }),
  );
}

type Judged = { url: string; change: { state: 'complete' } | { state: 'lacking'; reason: LackReason } };

/**
 * Finds out which servers have all rows. The database file may be an old backup, so the marks on the servers decide.
 * Their number (beat) grows each minute. In each shard, the servers with the highest beat have all rows. If the file
 * calls none of these servers complete, all of them become complete. Complete servers with a lower beat become
 * `lacking`. A copy of a disk may lack the rows after its mark. So with equal beats, the original disk counts as newer.
 *
 * If no server of a shard has a mark, all of them may have new disks. None of them becomes complete: at least one is
 * complete already, or `readNewest` has refused the adoption (test/cluster/upkeep/adopt.test.ts).
 */
function judgeServers(found: readonly Held[], known: readonly Server[]): Judged[] {
  const states = new Map(known.map(({ url, state }) => [url, state]));
  const isComplete = ({ node }: Held) => states.get(node.url) === 'complete';
  const copies = listCopies(found);
  const rank = (one: Held) => one.newest.beat - (copies.includes(one) ? 0.5 : 0);
  return [...Map.groupBy(found, ({ node }) => node.shard).values()].flatMap((replicas) => {
    const last = Math.max(...replicas.map(rank));
    const newest = replicas.filter((one) => rank(one) === last);
    const raised = newest.some(isComplete) ? [] : newest;
    const older = replicas.filter((one) => isComplete(one) && rank(one) < last);
    return [
      ...raised.map(({ node: { url } }): Judged => ({ url, change: { state: 'complete' } })),
      ...older.map(
        ({ node: { url }, newest: { beat } }): Judged => ({
          url,
          change: { state: 'lacking', reason: beat === 0 ? 'empty' : 'missed' },
        }),
      ),
    ];
  });
}

/**
 * Adds up rows over all shards, grouped by `keys`. After a failed insert, only one replica of a shard may have some
 * rows. Such rows must count too, so the highest count among the replicas of a shard is used.
 */
async function countMost<Row extends { rows: number }>(
  { nodes }: Pick<Deps, 'nodes'>,
  sql: string,
  keys: readonly (keyof Row)[],
): Promise<Row[]> {
  const found = await nodes.askEach((node) => nodes.askOne<Row>(node, sql));
  const shards = [...Map.groupBy(found, ({ node }) => node.shard).values()];
  const most = shards.flatMap((replicas) => {
    const counts = replicas.flatMap(({ result }) => sumRows(result, keys));
    const byKeys = Map.groupBy(counts, (row) => keys.map((key) => row[key]).join());
    return [...byKeys.values()].flatMap((same) => same.sort((one, other) => other.rows - one.rows).slice(0, 1));
  });
  return sumRows(most, keys);
}

type UnknownSlice = Unknown & { id: number };

/** Lists sealed days on the cluster that the database file does not know. */
async function listUnknownSlices({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<UnknownSlice[]> {
  const count = (table: string) =>
    `SELECT site AS siteId, slice AS id, count() AS rows FROM ${table} GROUP BY siteId, id`;
  const sql = `${count('visit')} UNION ALL ${count('tally')}`;
  const found = await countMost<UnknownSlice>({ nodes }, sql, ['siteId', 'id']);
  return found.filter(({ id }) => !isDayKnown(db, id));
}

type Newest = {
  site: number;
  day: number;
  importId: number;
  beat: number;
  shards: number;
  others: number;
  /** The numbers of retired collectors in the mark of this installation. */
  retired: number[];
  /** The place (shard and replica) in the mark of this installation. Empty if there is no such mark. */
  place: string;
};

type Held = { node: Node; newest: Newest };

/**
 * Reads from each server that responds the highest ids of sites, imports and sealed days, and its marks. A mark names
 * an installation, and has a number that grows each minute (the beat). Throws if no complete server of a shard
 * responds.
 */
async function readNewest({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<Held[]> {
  const own = findInstallation(db)?.name ?? '';
  const [sites, days] = [
    [...TABLES, 'visit', 'tally'].map((table) => `(SELECT max(site) FROM ${table})`),
    ['visit', 'tally'].map((table) => `(SELECT max(slice) FROM ${table})`),
  ];
  const sql = `SELECT greatest(max(site), ${sites.join()}) AS site, greatest(max(day), ${days.join()}) AS day, ${NEWEST_IMPORT} AS importId, max(m.beat) AS beat,
    argMax(m.shards, m.beat) AS shards, countIf(installation <> '${own}') AS others,
    argMaxIf(m.place, m.beat, installation = '${own}') AS place,
    bitPositionsToArray(argMaxIf(m.retired, m.beat, installation = '${own}')) AS retired FROM mark AS m`;
  const ask = async (node: Node) => (await nodes.askOne<Newest>(node, sql)).map((newest) => ({ node, newest }));
  const complete = await nodes.askEach(ask);
  const others = nodes.all.filter((node) => !complete.some((one) => one.node === node));
  const more = await Promise.all(others.map((node) => ask(node).catch(() => [])));
  return [...complete.flatMap(({ result }) => result), ...more.flat()];
}
