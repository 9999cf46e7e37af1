// The shipper sends the rows of the outbox (pieces) to every ClickHouse server. Each server has a loop of its own (a
// line). So a server that does not respond delays no other server.
//
// Invariant: a piece stays in the outbox until all servers of its shard have it. A server in the state `lacking` does
// not count: it gets nothing, and waits for a copy from a replica. During the copy it is `filling`. Then the outbox
// sends it only rows from a certain row number on (its cut).
//
// Example: replica B of a shard does not respond for an hour. Its loop tries again after 1 s, 2 s, 4 s, and then every
// 5 s. Replica A gets all pieces as before. The pieces of that hour stay in the outbox until B has received them.
// intake.ts calls startShipper.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { watchTrouble } from '../../lib/trouble.ts';
import type { Server } from '../../store/cluster/cluster-servers.ts';
import type { Outbox } from '../../store/cluster/outbox.ts';
import { findCut, findLastPiece } from '../../store/cluster/outbox-pieces.ts';
import { findSender } from '../../store/cluster/outbox-sender.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { buildFindShards } from '../servers/shards.ts';
import { buildArrivals, findMissingReplica, type Receivers, type ServerStanding } from './arrivals.ts';
import { releaseAtStart, releaseHeld } from './hold.ts';
import { KINDS } from './outbox.ts';
import { removeSent, sendNext } from './parcels.ts';
import { findFirstLacking, takeCut } from './progress.ts';
import type { Reach } from './reach.ts';

/**
 * The pause between two sends to one server. It is shorter if the answer to a hit waits for servers. ClickHouse makes a
 * new file for each insert, and many files make queries slow.
 */
const PAUSE_MS = 1_000;
/** After a failed send, the next attempt is 1 s later. The pause doubles with each further failure, up to 5 s. */
const LONGEST_PAUSE_MS = 5_000;

type Deps = Reach & { log: Log; clock: Clock };

/** Sends the rows of the outbox to all servers until `close` is called. */
export function startShipper({ db }: Outbox, deps: Deps) {
  const { nodes, behind, listDivisions, changed = () => {}, log, clock } = deps;
  const failures = watchTrouble(log, clock, 'parcels not taken by the cluster, in all');
  releaseAtStart(db, buildFindShards(listDivisions(), nodes.shards));
  for (const node of nodes.all) if (findFirstLacking(db, node)) behind.add(node);
  changed();
  let isStopped = false;
  let parcelAt: number | undefined;
  const former = findLastPiece(db);
  const shipping: Shipping = { ...deps, db, former, away: new Set(), isStopped: () => isStopped, sent };
  const { wait, look, isAnybodyWaiting } = buildArrivals(
    () => listStandings(shipping),
    (node) => findFirstLacking(db, node)?.seq ?? Number.POSITIVE_INFINITY,
  );

  function sent(): void {
    parcelAt = seconds(clock);
    look();
  }

  const { lines, follow } = startLines(nodes, (node) =>
    startLine({
      async sendAll() {
        await sendAllTo(shipping, node);
        failures.worked();
      },
      isStopped: () => isStopped || !nodes.all.includes(node),
      isUrgent: isAnybodyWaiting,
      failed(error) {
        if (!behind.has(node)) {
          behind.add(node);
          changed();
        }
        shipping.away.add(node);
        const { kind, event, details } = describeFailure(node, error);
        failures.failed(kind, event, details);
        look();
      },
    }),
  );

  /**
   * Ends the pause before the next send, so that waiting rows are sent at once. Servers that do not respond keep their
   * pause: otherwise each new hit would cause another failed attempt.
   */
  function wakeReachable(): void {
    for (const [node, { wake }] of lines) if (!shipping.away.has(node)) wake();
  }

  return {
    findParcelTime: () => parcelAt,
    /** Gives an error if hits must reach every server now (`replicas`) and one server cannot receive them. */
    findRefusal: (receivers: Receivers) =>
      receivers === 'replicas' ? findMissingReplica(listStandings(shipping)) : undefined,
    /**
     * Resolves when the servers have received the rows with numbers up to `until`. Rejects with `unavailable` (status
     * 503) after `patienceMs`.
     */
    async waitFor(until: number, receivers: Receivers, patienceMs?: number): Promise<void> {
      const waited = wait(until, receivers, patienceMs);
      wakeReachable();
      await waited;
    },
    /** Starts a line for each new server, and ends the lines of removed servers. */
    followServers(): void {
      for (const node of follow()) {
        shipping.away.delete(node);
        if (behind.delete(node)) changed();
      }
      look();
    },
    async close(): Promise<void> {
      isStopped = true;
      for (const { wake } of lines.values()) wake();
      await Promise.all([...lines.values()].map(({ running }) => running));
      failures.settle();
    },
  };
}

/** Starts a line for each server. `follow` starts a line for each new server, and ends the lines of removed servers. */
function startLines<Line extends { wake(): void }>(nodes: Pick<Nodes, 'all'>, start: (node: Node) => Line) {
  const lines = new Map(nodes.all.map((node) => [node, start(node)]));
  return {
    lines: lines as ReadonlyMap<Node, Line>,
    /** Starts and ends lines if `nodes.all` has changed. Gives the servers that were removed from `nodes.all`. */
    follow(): Node[] {
      const gone = [...lines.keys()].filter((node) => !nodes.all.includes(node));
      for (const node of gone) {
        lines.get(node)?.wake();
        lines.delete(node);
      }
      for (const node of nodes.all) if (!lines.has(node)) lines.set(node, start(node));
      return gone;
    },
  };
}

/** Builds a pause that `wake` can end early, for a hit that waits for the servers. */
function buildSleeper() {
  let wake = () => {};
  return {
    wake: () => wake(),
    rest: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/**
 * What the loop for one server needs. `sendAll` throws if the server does not accept rows. `isUrgent` is true if the
 * answer to some hit waits for servers.
 */
type ServerLine = { sendAll(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/**
 * Sends waiting rows to one server until `isStopped` gives true. Pauses for 1 s between two sends, or for 1 ms if the
 * answer to a hit waits. After several failures, the pause is longer.
 */
function startLine({ sendAll, isStopped, isUrgent, failed }: ServerLine) {
  const { rest, wake } = buildSleeper();
  let pause = PAUSE_MS;
  async function run(): Promise<void> {
    while (!isStopped()) {
      try {
        await sendAll();
        pause = PAUSE_MS;
        await rest(isUrgent() ? 1 : pause);
      } catch (error) {
        if (isStopped()) return;
        failed(error);
        await rest(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }
  return { running: run(), wake };
}

/** Makes the log message for rows that could not be sent. Either the outbox cannot be written, or the server failed. */
function describeFailure({ url }: Node, error: unknown) {
  const { code, message } = error as Error & { code?: string };
  const details = { url, message: message.split('\n')[0] ?? '' };
  if (code?.startsWith('SQLITE_'))
    return { kind: code, event: 'the outbox cannot be written, so that nothing can be sent', details };
  return { kind: url, event: 'a server of the cluster does not take hits. They wait in the outbox', details };
}

type Shipping = Deps & {
  db: Db;
  /**
   * The id of the last piece that waited when this process started. Servers may already have the pieces up to this id.
   */
  former: number;
  /** The servers to which the last send failed. A new hit does not end the pause before the next attempt. */
  away: Set<Node>;
  isStopped(): boolean;
  /** Called each time a server has received rows. Hits that wait for the server can then be answered. */
  sent(): void;
};

/**
 * Lists the states of all servers. A server that the database file does not know yet is new, and counts as complete.
 */
function listStandings({ nodes, listServers, away }: Shipping): ServerStanding[] {
  const states = new Map(listServers().map(({ url, state }) => [url, state]));
  return nodes.all.map((node) => ({
    node,
    isComplete: (states.get(node.url) ?? 'complete') === 'complete',
    isAway: away.has(node),
  }));
}

/**
 * Lists the servers of a shard that must receive a row before the outbox deletes it. A `lacking` server gets a copy of
 * all rows from a replica later. If the outbox stored rows for this server, the outbox could grow for weeks.
 *
 * If no server of the shard is `complete`, there is no replica to copy from. Then the list is empty, and the outbox
 * deletes nothing.
 */
function listReplicasToKeepFor(servers: readonly Server[], shard: number): number[] {
  const own = servers.filter((one) => one.shard === shard);
  if (!own.some(({ state }) => state === 'complete')) return [];
  return own.filter(({ state }) => state !== 'lacking').map(({ replica }) => replica);
}

/** Sends all waiting rows to a server. A `lacking` server gets none, because a replica copies all rows to it later. */
async function sendAllTo(
  { db, nodes, clock, former, listServers, listDivisions, away, behind, changed, isStopped, sent }: Shipping,
  node: Node,
): Promise<void> {
  await releaseHeld(db, () => buildFindShards(listDivisions(), nodes.shards));
  const { name } = findSender(db);
  const servers = listServers();
  const server = servers.find(({ url }) => url === node.url);
  if (server?.state === 'lacking') return;
  if (server?.state === 'filling') {
    takeCut(db, server, servers);
    if (findCut(db, { ...node, kind: 'activity' })?.fill !== server.fill) return;
  }
  // Rows that arrive during this loop are sent the next time. Otherwise the loop might never end under load.
  const end = findLastPiece(db);
  for (const kind of KINDS) {
    const remove = () => removeSent(db, node.shard, kind, listReplicasToKeepFor(listServers(), node.shard));
    // Some rows may be waiting only for a server that has just become `lacking`. A replica copies them later, so they
    // can be deleted now.
    remove();
    while (!isStopped() && (await sendNext({ db, nodes, name, clock, former }, node, kind, end))) {
      remove();
      sent();
    }
  }
  if (behind.delete(node)) changed?.();
  away.delete(node);
}
