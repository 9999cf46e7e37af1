// Connecting finds out which server of --engine holds which shard. Then it checks that all servers are ours, and makes missing
// tables.
//
// Invariant: an answer has every shard. So all servers must answer the first time, and the number of shards never changes. Later
// a server that is away keeps its known place. A server whose disk was emptied gets no tables here, because it would answer with
// nothing.
//
// Example: --engine names four servers of two shards. One is away but known, so it is shard 2, replica 1, as the file
// says. The connection is made without it.
//
// engine.ts and upkeep/adopt.ts call `connect`.
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
import { assertEveryShard, assertOurs, type FoundHolding, listNewlyLacking } from './ownership.ts';
import { assertAllNamed, keepPlaces, namePlace } from './places.ts';
import { findLowestNumber } from './row-numbers.ts';
import { buildSend, parseRows, Refused, type Send } from './send.ts';
import { TABLES } from './tables.ts';

/** The tests run against this version. */
const LEAST_VERSION = [26, 7] as const;

/** A server that does not describe itself within 3 s counts as away. */
const FOUND_MS = 3_000;
/** A server makes its tables, or says what it has, within 2 minutes. */
const PREPARED_MS = 120_000;

type ConnectOptions = {
  behind?: ReadonlySet<Node>;
  /**
   * What connects. A running daybook (`server`) checks which servers lack rows. A command relies on the file for that. A move
   * has a file that knows no servers yet. An adopter takes any cluster.
   */
  as?: 'server' | 'command' | 'move' | 'adopter';
  log?: Log;
  /** A server has all rows with a lower number than this. */
  reached?: (url: string) => number;
};

/** Connects to the cluster that a URL names, and makes its tables. Refuses a cluster that is not that of this file. */
export async function connect(
  text: string,
  db: Db,
  clock: Clock,
  { behind = new Set(), as = 'command', log = () => {}, reached = () => Number.POSITIVE_INFINITY }: ConnectOptions = {},
): Promise<{ address: Address; nodes: Nodes }> {
  const address = parseAddress(text);
  const { nodes, there: answering } = await findNodes(address, db, log);
  const emptied = new Set<Node>();
  let there = answering;
  const isNew = listServers(db).length === 0;
  const { isComplete: isNoted, isFilling, missed } = buildStates(db, clock, log);
  const isComplete = (node: Node) => !emptied.has(node) && isNoted(node);
  async function returned(url: string): Promise<void> {
    const node = nodes.find((one) => one.url === url);
    if (node) await compareMark({ db, nodes: found, clock, log }, node);
  }
  const noted = (url: string, isAway: boolean) =>
    log(isAway ? 'a server of the cluster does not answer' : 'a server of the cluster answers again', { url });
  const found: Nodes = buildNodes(address, nodes, {
    ...{ behind, isComplete, isFilling, lateUrls: () => listBehind(db) },
    ...{ reached, nextNumber: () => findLowestNumber(clock.now()) },
    ...(as === 'move' ? {} : { missed }),
    ...(as === 'server' ? { returned, noted } : {}),
  });
  // A server without its mark was emptied. A command makes no tables on it and does not ask it. The primary notes it in
  // the file.
  if (as === 'command' && !isNew)
    for (const node of there)
      if (
        listKnownServers(db).some(({ url, beat }) => url === node.url && beat > 0) &&
        (await readBeat({ db, nodes: found }, node)) === 0
      )
        emptied.add(node);
  there = there.filter((node) => !emptied.has(node));
  await prepare(address, there);
  const holdings = await readHoldings(address, there);
  if (as !== 'adopter') assertOurs(db, holdings, isNew && as !== 'move');
  if (as === 'server' || (as === 'command' && isNew)) noteServers(db, nodes, holdings, seconds(clock));
  return { address, nodes: found };
}

type ClusterRow = { shard: number; replica: number; isLocal: number };

/** What a server said about itself, or why it did not answer. */
type FoundServer = { url: string; version: string; listed: ClusterRow[] };
type SilentServer = { url: string; fault: string };

const readFirstLine = (error: unknown): string => (error as Error).message.split('\n')[0]?.slice(0, 300) ?? '';

async function askServer(address: Address, url: string): Promise<FoundServer | SilentServer> {
  const send = buildSend({ ...address, database: 'default' });
  const listing = `SELECT shard_num AS shard, replica_num AS replica, is_local AS isLocal FROM system.clusters
    WHERE cluster = '${address.cluster}' FORMAT JSONEachRow`;
  try {
    const signal = AbortSignal.timeout(FOUND_MS);
    const version = (await send(url, 'SELECT version()', { signal })).trim();
    return { url, version, listed: parseRows<ClusterRow>(await send(url, listing, { signal })) };
  } catch (error) {
    if (error instanceof Refused) throw new Refusal(`${url}: ${readFirstLine(error)}`);
    return { url, fault: readFirstLine(error) };
  }
}

function assertVersion(url: string, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new Refusal(`${url} is ClickHouse ${version}; ${LEAST_VERSION.join('.')} or newer is needed`);
}

/** The place of a server in the cluster; refuses a server that is not in it. */
function findPlace({ url, listed }: FoundServer, cluster: string): Node {
  if (listed.length === 0) throw new Refusal(`${url} knows no cluster "${cluster}"; name another with ?cluster=NAME`);
  const own = listed.find(({ isLocal }) => isLocal === 1);
  if (!own) throw new Refusal(`${url} is no part of the cluster "${cluster}"`);
  return { url, shard: own.shard - 1, replica: own.replica - 1 };
}

/** Refuses servers that disagree about the shards of the cluster. */
function assertAlike(found: readonly FoundServer[], cluster: string): void {
  const shapes = found.map(({ url, listed }) => ({ url, shape: listed.map(namePlace).sort().join() }));
  const [first] = shapes;
  const other = shapes.find(({ shape }) => shape !== first?.shape);
  if (first && other)
    throw new Refusal(`${first.url} and ${other.url} differ in what the shards of the cluster "${cluster}" are`);
}

/**
 * Finds the place of each server of --engine. A server that is away has its known place. Refuses a cluster with a server
 * that --engine does not name.
 */
async function findNodes(address: Address, db: Db, log: Log): Promise<{ nodes: Node[]; there: Node[] }> {
  const { cluster, urls } = address;
  const asked = await Promise.all(urls.map((url) => askServer(address, url)));
  const found = asked.filter((one) => 'version' in one);
  const silent = asked.filter((one) => 'fault' in one);
  for (const { url, version } of found) assertVersion(url, version);
  assertAlike(found, cluster);
  const listed = found.map((one) => findPlace(one, cluster));
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

/** Builds a function that sends a statement and waits 2 minutes at most. */
function buildPreparer(address: Address): Send {
  const send = buildSend(address);
  return (url, sql) => send(url, sql, { signal: AbortSignal.timeout(PREPARED_MS) });
}

/** Makes the database and its tables where they are missing. */
export async function prepare(address: Address, there: readonly Node[]): Promise<void> {
  const [anywhere, inside] = [buildPreparer({ ...address, database: 'default' }), buildPreparer(address)];
  await Promise.all(
    there.map(async ({ url }) => {
      try {
        await anywhere(url, `CREATE DATABASE IF NOT EXISTS ${address.database}`);
        for (const sql of TABLES) await inside(url, sql);
      } catch (error) {
        throw new Refusal(`${url}: the tables cannot be made: ${readFirstLine(error)}`);
      }
    }),
  );
}

/** Reads what the servers that answer have. */
const readHoldings = (address: Address, there: readonly Node[]): Promise<FoundHolding[]> =>
  Promise.all(there.map(async (node) => ({ node, holding: await readHolding(buildPreparer(address), node.url) })));

/** Writes the servers to the file, and which of them lack something. */
function noteServers(db: Db, nodes: readonly Node[], holdings: readonly FoundHolding[], now: number): void {
  db.write(() => {
    const lacking = listNewlyLacking(db, holdings);
    setServers(db, nodes);
    // If the file is an older copy, servers have higher beats than the file.
    skipBeats(db, Math.max(0, ...holdings.flatMap(({ holding }) => holding.marks.map(({ beat }) => beat))));
    for (const { url, reason } of lacking) changeServerState(db, url, { state: 'lacking', reason, now });
  });
  assertEveryShard(db);
}

/**
 * Builds functions that read the state of a server from the file. A command may name a server by another URL, so it is found by
 * its place too.
 */
function buildStates(db: Db, clock: Clock, log: Log) {
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
