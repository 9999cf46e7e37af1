// Connects to a cluster. Finds the shard of each server that the option --engine names. Checks that all servers belong
// to this installation (admission.ts), and makes missing tables.
//
// Invariant: every answer has the rows of all shards. So all servers must respond at the first connection, and only the
// command `daybook cluster add-shard` adds a shard. Later, a silent server keeps the shard that the database file
// notes. If the disk of a server was emptied, no tables are made there. With empty tables the server would answer
// queries with 0.
//
// Servers that a command added come from the database file, whatever --engine names. Servers that a command removed are
// not used, even if --engine still names them.
//
// Example: --engine names four servers of two shards. One server does not respond. The database file says that this
// server is replica 1 of shard 2. So the connection is made without that server. engine.ts and upkeep/adopt.ts call
// `connect`.
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import {
  changeServerState,
  type LackReason,
  listKnownServers,
  listRemovedServers,
  listServers,
  setServers,
} from '../../store/cluster/cluster-servers.ts';
import { findInstallation, skipBeats } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { type Address, parseAddress } from './address.ts';
import { buildAdmission, buildPreparer, buildTeller, findHolding, findLastBeat, openServers } from './admission.ts';
import { askServer, assertVersion, type FoundServer, readFirstLine } from './found-server.ts';
import { compareMark } from './keeper.ts';
import { listLate, listOutdone } from './late.ts';
import { buildLateChecks } from './late-checks.ts';
import { assertPlace, readBeat } from './marks.ts';
import { buildNodes, type Node, type Nodes } from './nodes.ts';
import { assertEveryShard, assertOurs, type FoundHolding, findNotedBeat, isOutdated, judgeBeat } from './ownership.ts';
import { assertAllNamed, assertDifferent, keepPlaces, namePlace, type PlacedServer } from './places.ts';
import { findLowestNumber } from './row-numbers.ts';
import { parseRows } from './send.ts';
import { addMissingColumns, SELECT_COLUMNS, TABLES } from './tables.ts';

type ConnectOptions = {
  behind?: ReadonlySet<Node>;
  /**
   * Which program connects. `server`: the running daybook, which checks which ClickHouse servers lack rows. `command`:
   * a command, which reads from the database file which servers lack rows. `move`: `daybook move`, when the file knows
   * no servers yet. `adopter`: `daybook cluster adopt`, which takes over any cluster.
   */
  as?: 'server' | 'command' | 'move' | 'adopter';
  log?: Log;
  /** Gives a row number for the URL of a server: this server has received all rows with lower numbers. */
  reached?: (url: string) => number;
};

/**
 * Connects to the cluster that a URL names, and makes its tables. Refuses a cluster of another installation of daybook,
 * because the hits of two installations would be mixed.
 */
export async function connect(
  text: string,
  db: Db,
  clock: Clock,
  { behind = new Set(), as = 'command', log = () => {}, reached = () => Number.POSITIVE_INFINITY }: ConnectOptions = {},
): Promise<{ address: Address; nodes: Nodes }> {
  const address = parseAddress(text);
  const { nodes, there } = await findNodes(address, db, { log, mayHaveGrown: as === 'adopter' });
  const [outdated, failed] = [new Set<Node>(), new Set<string>()];
  const isNew = listServers(db).length === 0;
  const { isComplete: isNoted, isFilling, missed } = buildStates(db, clock, log);
  const isComplete = (node: Node) => !outdated.has(node) && isNoted(node);
  const tell = buildTeller(log);
  async function returned(url: string): Promise<void> {
    const node = nodes.find((one) => one.url === url);
    if (!node) return;
    await compareMark({ db, nodes: found, clock, log }, node).catch((error: Error) => {
      if (error instanceof Refusal) tell(url, error);
      throw error;
    });
  }
  const { takeIn, admit } = buildAdmission({ address, db, clock, log, nodes, isComplete: isNoted });
  const late = buildLateChecks({ address, nodes, check: openLate });
  const noted = (url: string, isAway: boolean) =>
    log(isAway ? 'a server of the cluster does not answer' : 'a server of the cluster answers again', { url });
  const found: Nodes = buildNodes(address, nodes, {
    ...{ behind, isComplete, isFilling, lateUrls: () => new Set([...listLate(db), ...failed]) },
    listOutdone: () => listOutdone(db, found.listComplete(), { isCommand: as === 'command' }),
    ...{ reached, nextNumber: () => findLowestNumber(clock.now()) },
    ...(as === 'move' ? {} : { missed }),
    ...(as === 'adopter' ? {} : { checkMark: (node) => judgeMark({ db, nodes: found }, node) }),
    ...(as === 'server' ? { returned, noted, admit, checkProcess: returned } : {}),
    ...(as === 'command' ? { returned: late.returned, admit: late.admit, checkProcess: compareBeat } : {}),
  });
  async function open(node: Node): Promise<FoundHolding> {
    if (as !== 'command') await prepare(address, [node]);
    // The running daybook first writes a new beat (the number of a mark) to a ClickHouse server. Then it notes this
    // beat in the file. Here the file is read first. Otherwise a beat between the two reads would make the disk look
    // older than it is.
    const noted = findNotedBeat(db, node);
    const one = await findHolding(address, node);
    if (as !== 'command') return one;
    // A server with a new or an older disk lacks rows, and so would its answers. So a command does not use such a
    // server, and makes no tables there. The running daybook notes the loss.
    if (isOutdated(db, one, noted)) outdated.add(node);
    else await prepare(address, [node]);
    return one;
  }
  async function openLate(node: Node): Promise<void> {
    assertOurs(db, [await open(node)], false);
    late.noteChecked(node);
    if (outdated.has(node)) throw new Error(`${node.url} lacks rows`);
  }
  /** A command does not use a server that was restarted with an older disk. The running daybook notes the loss. */
  async function compareBeat(url: string): Promise<void> {
    const node = nodes.find((one) => one.url === url);
    if (node && (await hasOlderDisk({ db, nodes: found }, node))) outdated.add(node);
  }
  function leaveOut({ url }: Node, { message }: Error): void {
    log('a server of the cluster does not work, and is not used', { url, message });
    failed.add(url);
  }
  if (as === 'adopter') await prepare(address, there);
  else {
    const isKnown = ({ url }: Node) => listServers(db).some((one) => one.url === url);
    const holdings = await openServers(there, open, { canLack: isKnown, leaveOut });
    if (as === 'server') {
      await takeIn(holdings);
      assertEveryShard(db);
    } else assertOurs(db, holdings, isNew && as !== 'move');
    for (const { node } of holdings) late.noteChecked(node);
    if (as === 'command' && isNew) noteServers(db, nodes, holdings);
  }
  return { address, nodes: found };
}

/** Gives a reason if the mark of a server shows that it lacks rows. The file is read first, as in `hasOlderDisk`. */
async function judgeMark({ db, nodes }: { db: Db; nodes: Nodes }, node: Node): Promise<LackReason | undefined> {
  const noted = findNotedBeat(db, node);
  return judgeBeat(await assertPlace(nodes, node, findInstallation(db)?.name), noted);
}

/**
 * True if the beat on a server is below the beat that the database file notes for the server. The running daybook may
 * raise both beats between the two reads. So the file is read first. Otherwise the disk would look older than it is.
 */
async function hasOlderDisk(deps: { db: Db; nodes: Nodes }, node: Node): Promise<boolean> {
  const noted = findNotedBeat(deps.db, node);
  return judgeBeat(await readBeat(deps, node), noted) !== undefined;
}

/**
 * Finds the shard and replica of a server in the configuration of ClickHouse. Refuses a server that is not configured
 * as one of the cluster.
 */
function findPlace({ url, listed }: FoundServer, cluster: string): Node {
  if (listed.length === 0) throw new Refusal(`${url} has no cluster "${cluster}". Name another with ?cluster=NAME`);
  const own = listed.find(({ isLocal }) => isLocal === 1);
  if (!own) throw new Refusal(`${url} is no part of the cluster "${cluster}"`);
  return { url, shard: own.shard - 1, replica: own.replica - 1 };
}

/**
 * Refuses servers whose configurations differ in the shards. Otherwise hits would be sent to the servers of a wrong
 * shard.
 */
function assertAlike(found: readonly FoundServer[], cluster: string): void {
  const shapes = found.map(({ url, listed }) => ({ url, shape: listed.map(namePlace).sort().join() }));
  const [first] = shapes;
  const other = shapes.find(({ shape }) => shape !== first?.shape);
  if (first && other)
    throw new Refusal(`${first.url} and ${other.url} differ in what the shards of the cluster "${cluster}" are`);
}

/**
 * Finds which servers are used. `known` are all servers in the database file. `added` are those of them that a command
 * added. `removed` were removed by a command. `named` are the URLs in the option --engine, without added and removed
 * servers.
 */
function chooseServers({ urls }: Address, db: Db, log: Log) {
  const known = listKnownServers(db);
  const added = known.filter(({ isAdded }) => isAdded === 1);
  const isOne = (url: string) => (one: { url: string }) => one.url === url;
  const removed = listRemovedServers(db).filter(({ url }) => !known.some(isOne(url)));
  const [left = [], named = []] = [true, false].map((isLeft) =>
    urls.filter((url) => removed.some(isOne(url)) === isLeft && !added.some(isOne(url))),
  );
  for (const url of left) log('--engine names a server that was removed from the cluster. It is not used', { url });
  return { known, added, removed, named };
}

/**
 * Finds the shard and replica of each server that the option --engine names. A silent server keeps the place that the
 * database file notes. A server that a command added also keeps its place. If the configuration of ClickHouse has a
 * further server, the cluster is refused, because that server would get no hits. With `mayHaveGrown`, the database file
 * may be from before a shard was added, so more shards are allowed than the file knows.
 */
async function findNodes(
  address: Address,
  db: Db,
  { log, mayHaveGrown }: { log: Log; mayHaveGrown: boolean },
): Promise<{ nodes: Node[]; there: Node[] }> {
  const { cluster } = address;
  const { known, added, removed, named } = chooseServers(address, db, log);
  const asked = await Promise.all(
    [...named, ...added.map(({ url }) => url)].map((url) => askServer(address, url, log)),
  );
  const answered = asked.filter((one) => 'version' in one);
  const silent = asked.filter((one) => 'fault' in one);
  for (const { url, version } of answered) assertVersion(url, version);
  // If two URLs lead to one server, an error asks to leave out the second URL. Servers that a command added stand
  // first. So the error never asks to leave out their URLs, which are in the database file.
  assertDifferent(answered.toReversed());
  const found = answered.filter(({ url }) => named.includes(url));
  assertAlike(found, cluster);
  const listed = found.map((one) => findPlace(one, cluster));
  const away = known.filter(({ url }) => silent.some((one) => one.url === url));
  const occupied = [...known.filter(({ url }) => named.includes(url)), ...added, ...removed];
  const renamed = await findRenamed(address, db, { found, named });
  const there: Node[] = [
    ...keepPlaces(listed, [...known, ...renamed], [...occupied, ...renamed]),
    ...added.filter(({ url }) => answered.some((one) => one.url === url)),
  ];
  const nodes: Node[] = [...there, ...away];
  const lost = silent.find(({ url }) => !known.some((node) => node.url === url));
  if (lost)
    throw new Refusal(`${lost.fault}. When you start daybook on a cluster for the first time, all servers must answer`);
  for (const { url, fault } of silent) log('a server of the cluster does not answer', { url, message: fault });
  const places = found[0]?.listed.map(({ shard, replica }) => ({ shard: shard - 1, replica: replica - 1 })) ?? [];
  assertAllNamed({ places, there: listed, excused: [...away, ...added, ...removed] }, cluster);
  const [before, shards] = [known, nodes].map((some) => new Set(some.map(({ shard }) => shard)).size);
  if (before !== 0 && before !== shards && !mayHaveGrown)
    throw new Refusal(
      `the cluster "${cluster}" has ${shards} shards, but the hits are on ${before}. Name the servers of these ${before} in --engine and in remote_servers. To add a shard, run daybook cluster add-shard while the server runs`,
    );
  nodes.sort((one, other) => one.shard - other.shard || one.replica - other.replica);
  return { nodes, there };
}

/**
 * Finds known servers that --engine names by a new URL. The mark of a server names a place, and the database file notes
 * a URL for this place. If --engine does not name the noted URL any more, the server has a new URL. Gives the places of
 * the servers with a new URL, each with this URL.
 */
async function findRenamed(
  address: Address,
  db: Db,
  { found, named }: { found: readonly FoundServer[]; named: readonly string[] },
): Promise<PlacedServer[]> {
  const known = listKnownServers(db);
  const gone = known.filter(({ url, isAdded }) => isAdded === 0 && !named.includes(url));
  const fresh = gone.length === 0 ? [] : found.filter(({ url }) => !known.some((one) => one.url === url));
  const name = findInstallation(db)?.name;
  const renamed = fresh.map(async ({ url }) => {
    const { holding } = await findHolding(address, { url, shard: 0, replica: 0 });
    const mark = holding.marks.find(({ installation, beat }) => installation === name && beat > 0);
    const before = gone.find((one) => namePlace(one) === mark?.place);
    return before && mark ? [{ url, shard: before.shard, replica: before.replica, beat: mark.beat }] : [];
  });
  // If a disk was copied, two servers may have the mark of one place. The server with the higher beat gets the place.
  const byAge = (await Promise.all(renamed)).flat().sort((one, other) => one.beat - other.beat);
  return [...new Map(byAge.map((one) => [namePlace(one), one])).values()];
}

export async function prepare(address: Address, there: readonly Node[]): Promise<void> {
  const [anywhere, inside] = [buildPreparer({ ...address, database: 'default' }), buildPreparer(address)];
  await Promise.all(
    there.map(async ({ url }) => {
      try {
        await anywhere(url, `CREATE DATABASE IF NOT EXISTS ${address.database}`);
        for (const sql of TABLES) await inside(url, sql);
        const columns = await inside(url, `${SELECT_COLUMNS} FORMAT JSONEachRow`);
        for (const sql of addMissingColumns(parseRows(columns))) await inside(url, sql);
      } catch (error) {
        throw new Refusal(`${url}: the tables cannot be made: ${readFirstLine(error)}`);
      }
    }),
  );
}

/** Writes the list of servers to the database file, when a command connects to a cluster for the first time. */
function noteServers(db: Db, nodes: readonly Node[], holdings: readonly FoundHolding[]): void {
  db.write(() => {
    setServers(db, nodes);
    // Later marks must get higher beats than the marks on the servers. Otherwise the later marks would look old.
    skipBeats(db, findLastBeat(holdings));
  });
}

/**
 * Builds functions that read and change the state of servers in the database file. A command may name a ClickHouse
 * server by another URL than the running daybook. So a server with an unknown URL is looked up by shard and replica.
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
      log('a server of the cluster missed a statement. Queries no longer use it', { url });
      db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'missed', now: seconds(clock) }));
    },
  };
}
