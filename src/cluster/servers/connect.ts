import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers, listServers, setServers } from '../../store/cluster/cluster-servers.ts';
import { listBehind } from '../../store/cluster/collectors.ts';
import { skipBeats } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { type Address, parseAddress } from './address.ts';
import { compareMark } from './keeper.ts';
import { readBeat, readHolding } from './marks.ts';
import { buildNodes, type Node, type Nodes } from './nodes.ts';
import { assertEveryShard, assertOurs, type Held, listNewlyLacking } from './ownership.ts';
import { assertAllNamed, keepPlaces, placeName } from './places.ts';
import { sequenceAt } from './row-numbers.ts';
import { Refused, rowsIn, type Send, sender } from './send.ts';
import { TABLES } from './tables.ts';

/** The tests run against this version. */
const LEAST_VERSION = [26, 7] as const;

/** A server that does not say within this time what it is counts as away. */
const FOUND_MS = 3_000;
/** In so long it says what it has, or makes its tables. */
const PREPARED_MS = 120_000;

type Listed = { shard: number; replica: number; isLocal: number };

/** What a server says of itself, or why it says nothing. */
type Found = { url: string; version: string; listed: Listed[] };
type Silent = { url: string; fault: string };

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]?.slice(0, 300) ?? '';

async function askServer(address: Address, url: string): Promise<Found | Silent> {
  const send = sender({ ...address, database: 'default' });
  const ofCluster = `SELECT shard_num AS shard, replica_num AS replica, is_local AS isLocal FROM system.clusters
    WHERE cluster = '${address.cluster}' FORMAT JSONEachRow`;
  try {
    const gone = AbortSignal.timeout(FOUND_MS);
    const version = (await send(url, 'SELECT version()', { gone })).trim();
    return { url, version, listed: rowsIn<Listed>(await send(url, ofCluster, { gone })) };
  } catch (error) {
    if (error instanceof Refused) throw new Refusal(`${url}: ${firstLine(error)}`);
    return { url, fault: firstLine(error) };
  }
}

function assertVersion(url: string, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new Refusal(`${url} is ClickHouse ${version}; ${LEAST_VERSION.join('.')} or newer is needed`);
}

/** The place of a server that answers; refuses one that is none of the cluster's. */
function placeOf({ url, listed }: Found, cluster: string): Node {
  if (listed.length === 0) throw new Refusal(`${url} knows no cluster "${cluster}"; name another with ?cluster=NAME`);
  const own = listed.find(({ isLocal }) => isLocal === 1);
  if (!own) throw new Refusal(`${url} is no part of the cluster "${cluster}"`);
  return { url, shard: own.shard - 1, replica: own.replica - 1 };
}

/** All servers must know the same shards with as many replicas. */
function assertAlike(found: readonly Found[], cluster: string): void {
  const shapes = found.map(({ url, listed }) => ({ url, shape: listed.map(placeName).sort().join() }));
  const [first] = shapes;
  const other = shapes.find(({ shape }) => shape !== first?.shape);
  if (first && other)
    throw new Refusal(`${first.url} and ${other.url} differ in what the shards of the cluster "${cluster}" are`);
}

/**
 * Finds out which of the named servers holds which shard. One that is away now has the place that it had; the first time all must
 * be there. Every replica of the cluster must be named.
 */
async function findNodes(address: Address, db: Db, log: Log): Promise<{ nodes: Node[]; there: Node[] }> {
  const { cluster, urls } = address;
  const asked = await Promise.all(urls.map((url) => askServer(address, url)));
  const found = asked.filter((one) => 'version' in one);
  const silent = asked.filter((one) => 'fault' in one);
  for (const { url, version } of found) assertVersion(url, version);
  assertAlike(found, cluster);
  const listed = found.map((one) => placeOf(one, cluster));
  const known = listServers(db);
  const away = known.filter(({ url }) => silent.some((one) => one.url === url));
  const there = keepPlaces(listed, known, urls);
  const nodes: Node[] = [...there, ...away];
  const lost = silent.find(({ url }) => !known.some((node) => node.url === url));
  if (lost) throw new Refusal(`${lost.fault}; when daybook first meets a cluster, all its servers must answer`);
  for (const { url, fault } of silent) log('a server of the cluster does not answer', { url, message: fault });
  const places = found[0]?.listed.map(({ shard, replica }) => ({ shard: shard - 1, replica: replica - 1 })) ?? [];
  assertAllNamed({ places, there: listed, silent: away }, cluster);
  const [before, shards] = [known, nodes].map((some) => new Set(some.map(({ shard }) => shard)).size);
  if (before !== 0 && before !== shards)
    throw new Refusal(
      `the cluster "${cluster}" has ${shards} shards, and had ${before}, over which the hits are spread; daybook move brings them into the file, and from there to a larger cluster`,
    );
  nodes.sort((one, other) => one.shard - other.shard || one.replica - other.replica);
  return { nodes, there };
}

/** Sends statements that end in bounded time. */
function preparer(address: Address): Send {
  const send = sender(address);
  return (url, sql) => send(url, sql, { gone: AbortSignal.timeout(PREPARED_MS) });
}

/** Makes the database and its tables where they are missing. */
export async function prepare(address: Address, there: readonly Node[]): Promise<void> {
  const [anywhere, inside] = [preparer({ ...address, database: 'default' }), preparer(address)];
  await Promise.all(
    there.map(async ({ url }) => {
      try {
        await anywhere(url, `CREATE DATABASE IF NOT EXISTS ${address.database}`);
        for (const sql of TABLES) await inside(url, sql);
      } catch (error) {
        throw new Refusal(`${url}: the tables cannot be made: ${firstLine(error)}`);
      }
    }),
  );
}

/** What the servers that answer have. */
const readHoldings = (address: Address, there: readonly Node[]): Promise<Held[]> =>
  Promise.all(there.map(async (node) => ({ node, holding: await readHolding(preparer(address), node.url) })));

/** Notes the servers, and which of them lack something. */
function note(db: Db, nodes: readonly Node[], held: readonly Held[], now: number): void {
  db.write(() => {
    const lacking = listNewlyLacking(db, held);
    setServers(db, nodes);
    // An older copy of the file knows of fewer marks than there were.
    skipBeats(db, Math.max(0, ...held.flatMap(({ holding }) => holding.marks.map(({ beat }) => beat))));
    for (const { url, reason } of lacking) changeServerState(db, url, { state: 'lacking', reason, now });
  });
  assertEveryShard(db);
}

/** What the file says of a server. A command may name it by another URL. */
function statesIn(db: Db, clock: Clock, log: Log) {
  const find = ({ url, shard, replica }: Node) => {
    const all = listServers(db);
    return all.find((one) => one.url === url) ?? all.find((one) => one.shard === shard && one.replica === replica);
  };
  return {
    isComplete: (node: Node) => (find(node)?.state ?? 'complete') === 'complete',
    isFilling: (node: Node) => find(node)?.state === 'filling',
    missed(node: Node) {
      const { url } = find(node) ?? node;
      log('a server of the cluster missed a statement; it is left out', { url });
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) }));
    },
  };
}

type Options = {
  behind?: ReadonlySet<Node>;
  /** Who connects: the server looks which servers lack something, a command takes the file's word, a move has a file of its own, and an adopter takes any cluster. */
  as?: 'server' | 'command' | 'move' | 'adopter';
  log?: Log;
  /** As in ask.ts. */
  reached?: (url: string) => number;
};

/** The servers of a cluster that is written as in parseAddress, with our tables. Refuses a cluster that is not this file's. */
export async function connect(
  text: string,
  db: Db,
  clock: Clock,
  { behind = new Set(), as = 'command', log = () => {}, reached = () => Number.POSITIVE_INFINITY }: Options = {},
): Promise<{ address: Address; nodes: Nodes }> {
  const address = parseAddress(text);
  const { nodes, there: answering } = await findNodes(address, db, log);
  const emptied = new Set<Node>();
  let there = answering;
  const isNew = listServers(db).length === 0;
  const { isComplete: isNoted, isFilling, missed } = statesIn(db, clock, log);
  const isComplete = (node: Node) => !emptied.has(node) && isNoted(node);
  async function returned(url: string): Promise<void> {
    const node = nodes.find((one) => one.url === url);
    if (node) await compareMark({ db, nodes: found, clock, log }, node);
  }
  const noted = (url: string, isAway: boolean) =>
    log(isAway ? 'a server of the cluster does not answer' : 'a server of the cluster answers again', { url });
  const found: Nodes = buildNodes(address, nodes, {
    ...{ behind, isComplete, isFilling, lateUrls: () => listBehind(db) },
    ...{ reached, nextNumber: () => sequenceAt(clock.now()) },
    ...(as === 'move' ? {} : { missed }),
    ...(as === 'server' ? { returned, noted } : {}),
  });
  // Before tables are made: a server that lost them would answer everybody with nothing. The primary notes it in the file.
  if (as === 'command' && !isNew)
    for (const node of there)
      if (
        listKnownServers(db).some(({ url, beat }) => url === node.url && beat > 0) &&
        (await readBeat({ db, nodes: found }, node)) === 0
      )
        emptied.add(node);
  there = there.filter((node) => !emptied.has(node));
  await prepare(address, there);
  const held = await readHoldings(address, there);
  if (as !== 'adopter') assertOurs(db, held, isNew && as !== 'move');
  if (as === 'server' || (as === 'command' && isNew)) note(db, nodes, held, seconds(clock));
  return { address, nodes: found };
}
