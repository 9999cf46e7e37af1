// Connects to a cluster. Finds out which shard each server of the option --engine has: servers of one shard have the
// same rows. Checks that all servers belong to this installation, and makes missing tables.
//
// Invariant: every answer has the rows of all shards. So all servers must answer at the first connection, and the
// number of shards never changes. Later, a server that does not answer keeps the shard that is noted in the database
// file. If the disk of a server was emptied, no tables are made there. With empty tables the server would answer
// queries with 0.
//
// Example: --engine names four servers of two shards. One server does not answer. The database file says that this
// server is replica 1 of shard 2. So the connection is made without that server.
//
// engine.ts and upkeep/adopt.ts call `connect`.
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { plural } from '../../lib/plural.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers, listServers, setServers } from '../../store/cluster/cluster-servers.ts';
import { listBehind } from '../../store/cluster/collectors.ts';
import { beginBeats, skipBeats } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { type Address, parseAddress } from './address.ts';
import { compareMark } from './keeper.ts';
import { isOlder, listLostDays, SELECT_IDS } from './lost-days.ts';
import { readBeat, readHolding } from './marks.ts';
import { buildNodes, type Node, type Nodes } from './nodes.ts';
import { ADOPT, assertEveryShard, assertOurs, type FoundHolding, listNewlyLacking } from './ownership.ts';
import { assertAllNamed, keepPlaces, namePlace } from './places.ts';
import { findLowestNumber } from './row-numbers.ts';
import { buildSend, MOST_TEXT, parseRows, Refused, type Send } from './send.ts';
import { TABLES } from './tables.ts';

/** The oldest version of ClickHouse that is allowed, 26.7. The tests run with this version. */
const LEAST_VERSION = [26, 7] as const;

/** At a connection, a server that does not answer within 3 s counts as away. Its place is read from the database. */
const FOUND_MS = 3_000;
/**
 * At a connection, each server makes its tables and finds its newest rows. Each of these statements may take 2 minutes.
 */
const PREPARED_MS = 120_000;

type ConnectOptions = {
  behind?: ReadonlySet<Node>;
  /**
   * Which program connects. `server`: the running server, which checks which ClickHouse servers lack rows. `command`:
   * reads that from the database file. `move`: the file knows no servers yet. `adopter`: takes over any cluster.
   */
  as?: 'server' | 'command' | 'move' | 'adopter';
  log?: Log;
  /** Gives a row number: the server has received all rows with lower numbers. Row numbers grow with time. */
  reached?: (url: string) => number;
};

/**
 * Connects to the cluster that a URL names, and makes its tables. Refuses a cluster that belongs to another
 * installation of daybook, because the hits of two installations would be mixed.
 */
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
  // A mark is a row that daybook writes to each server. Without its mark, a server has lost its disk. A command must
  // not make empty tables there and use them, because answers would lack rows. The running server notes the loss.
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
  if (as === 'server' && isOlder(db, holdings)) {
    const lacking = new Set(listNewlyLacking(db, holdings).map(({ url }) => url));
    const whole = there.filter((node) => isNoted(node) && !lacking.has(node.url));
    if (countShards(whole) === countShards(nodes)) await assertDaysThere(address, whole, db);
  }
  if (as === 'server' || (as === 'command' && isNew)) noteServers(db, nodes, holdings, { as, now: seconds(clock) });
  return { address, nodes: found };
}

const countShards = (nodes: readonly Node[]): number => new Set(nodes.map(({ shard }) => shard)).size;

type ClusterRow = { shard: number; replica: number; isLocal: number };

/** What a ClickHouse server says about itself. `listed` has the servers of the cluster that it knows. */
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

/**
 * Finds out which place (shard and replica) a server has in the configuration of ClickHouse. Refuses a server that is
 * not configured as one of the cluster.
 */
function findPlace({ url, listed }: FoundServer, cluster: string): Node {
  if (listed.length === 0) throw new Refusal(`${url} knows no cluster "${cluster}"; name another with ?cluster=NAME`);
  const own = listed.find(({ isLocal }) => isLocal === 1);
  if (!own) throw new Refusal(`${url} is no part of the cluster "${cluster}"`);
  return { url, shard: own.shard - 1, replica: own.replica - 1 };
}

/**
 * Refuses servers whose configurations differ in the shards (groups of servers with the same rows). Otherwise hits
 * would be sent to wrong servers.
 */
function assertAlike(found: readonly FoundServer[], cluster: string): void {
  const shapes = found.map(({ url, listed }) => ({ url, shape: listed.map(namePlace).sort().join() }));
  const [first] = shapes;
  const other = shapes.find(({ shape }) => shape !== first?.shape);
  if (first && other)
    throw new Refusal(`${first.url} and ${other.url} differ in what the shards of the cluster "${cluster}" are`);
}

/**
 * Finds the shard and replica of each server that the option --engine names. A server that does not answer keeps the
 * place that is stored in the database. Refuses a cluster with a server that --engine does not name: it would get no
 * hits.
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

/** Builds a function that sends a statement to a server and waits for the answer for at most 2 minutes. */
function buildPreparer(address: Address): Send {
  const send = buildSend(address);
  return (url, sql) => send(url, sql, { signal: AbortSignal.timeout(PREPARED_MS), longest: MOST_TEXT });
}

/** Makes the database and its tables on each of these servers, if they are missing. */
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

/**
 * Reads what each answering server has: its marks (rows that name its installation), and the highest ids of a site and
 * of a stored past day. They show whether the server is ours, and whether it lacks rows.
 */
const readHoldings = (address: Address, there: readonly Node[]): Promise<FoundHolding[]> =>
  Promise.all(there.map(async (node) => ({ node, holding: await readHolding(buildPreparer(address), node.url) })));

/**
 * Refuses a database file if the cluster lacks some of its past days: the file is an old backup, and these days were
 * deleted since. Otherwise their totals would count although their visits are deleted. A server of each shard must have
 * answered, because a small day may have visits on one shard only.
 */
async function assertDaysThere(address: Address, there: readonly Node[], db: Db): Promise<void> {
  const send = buildPreparer(address);
  const ask = async ({ url }: Node) => parseRows<{ id: number }>(await send(url, `${SELECT_IDS} FORMAT JSONEachRow`));
  const lost = listLostDays(db, (await Promise.all(there.map(ask))).flat());
  if (lost.length > 0)
    throw new Refusal(
      `the cluster lacks ${plural(lost.length, 'sealed day')} of this daybook.db: it is an older copy, and they were deleted since; restore a newer one, or where there is none, ${ADOPT}`,
      UNUSABLE,
    );
}

/**
 * Writes the list of servers to the database file. A server that has lost rows gets the state `lacking`: it is not used
 * until the rows are copied to it.
 */
function noteServers(
  db: Db,
  nodes: readonly Node[],
  holdings: readonly FoundHolding[],
  { as, now }: { as: ConnectOptions['as']; now: number },
): void {
  db.write(() => {
    const lacking = listNewlyLacking(db, holdings);
    setServers(db, nodes);
    // Each server has a mark with a number, the beat, which is raised each minute. After restoring a backup of the
    // database, the beat there may be lower than on the servers. Then new marks would look old. So it skips ahead.
    const last = Math.max(0, ...holdings.flatMap(({ holding }) => holding.marks.map(({ beat }) => beat)));
    if (as === 'server') beginBeats(db, last);
    else skipBeats(db, last);
    for (const { url, reason } of lacking) changeServerState(db, url, { state: 'lacking', reason, now });
  });
  assertEveryShard(db);
}

/**
 * Builds functions that read and change the state of servers in the database. A command may name a server by another
 * URL than the running server. So a server with an unknown URL is looked up by shard and replica.
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
