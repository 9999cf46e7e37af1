// The shipper sends the rows of the outbox, a file of waiting hits, to every ClickHouse server. Rows are in groups
// (pieces). Each server has a loop of its own (a line). So a server that does not answer delays no other server.
//
// Invariant: a piece stays in the outbox until all servers of its shard have it, except those in the state `lacking`. A
// `complete` server gets everything. A server that gets a copy of missing rows (`filling`) is sent pieces after a
// certain number (its cut). A `lacking` server waits for such a copy. It gets nothing, and nothing is kept for it.
//
// Example: replica B of a shard does not answer for an hour. Its loop tries again after 1 s, 2 s, 4 s, and then every 5
// s. Replica A gets its pieces as before. The pieces of that hour stay in the outbox until B has received them.
// intake.ts calls startShipper.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { watchTrouble } from '../../lib/trouble.ts';
import type { Server } from '../../store/cluster/cluster-servers.ts';
import { findCut, findLastPiece, findSender, type Outbox } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { buildArrivals, findMissingReplica, type Receivers, type ServerStanding } from './arrivals.ts';
import { KINDS } from './outbox.ts';
import { removeSent, sendNext } from './parcels.ts';
import { findFirstLacking, takeCut } from './progress.ts';

/** A server gets new rows at most once a second, because ClickHouse makes a new file for each insert. */
const PAUSE_MS = 1_000;
/** After a failure the next try is 1 s later. The pause doubles with each further failure, up to 5 s. */
const LONGEST_PAUSE_MS = 5_000;

type Deps = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[]; log: Log; clock: Clock };

/** Sends the rows of the outbox, a file of waiting hits, to all ClickHouse servers until `close` is called. */
export function startShipper({ db }: Outbox, deps: Deps) {
  const { nodes, behind, log, clock } = deps;
  const failures = watchTrouble(log, clock, 'parcels not taken by the cluster, in all');
  for (const node of nodes.all) if (findFirstLacking(db, node)) behind.add(node);
  let isStopped = false;
  let parcelAt: number | undefined;
  const shipping: Shipping = { ...deps, db, away: new Set(), isStopped: () => isStopped, sent };
  const { wait, look, isAnybodyWaiting } = buildArrivals(
    () => listStandings(shipping),
    (node) => findFirstLacking(db, node)?.id ?? Number.POSITIVE_INFINITY,
  );

  function sent(): void {
    parcelAt = seconds(clock);
    look();
  }

  const lines = nodes.all.map((node) =>
    startLine({
      async sendAll() {
        await sendAllTo(shipping, node);
        failures.worked();
      },
      isStopped: () => isStopped,
      isUrgent: isAnybodyWaiting,
      failed(error) {
        behind.add(node);
        shipping.away.add(node);
        const { kind, event, details } = describeFailure(node, error);
        failures.failed(kind, event, details);
        look();
      },
    }),
  );

  /**
   * Ends the pauses of the loops, so that waiting rows are sent at once. Loops of servers that do not answer keep
   * their pause: otherwise each new hit would cause another failing try.
   */
  function wakeReachable(): void {
    for (const [i, { wake }] of lines.entries()) if (!shipping.away.has(nodes.all[i] as Node)) wake();
  }

  return {
    /** When a server last received rows since this process started. Shown to the operator of a collector. */
    findParcelTime: () => parcelAt,
    /** Gives an error if hits must reach every server now (`replicas`), and one of the servers cannot receive them. */
    findRefusal: (receivers: Receivers) =>
      receivers === 'replicas' ? findMissingReplica(listStandings(shipping)) : undefined,
    /**
     * Resolves when the servers have received all waiting rows up to the group number `until`. Rejects with
     * `unavailable` after `patienceMs`, so that the sender of a hit does not wait for ever.
     */
    async waitFor(until: number, receivers: Receivers, patienceMs?: number): Promise<void> {
      const waited = wait(until, receivers, patienceMs);
      wakeReachable();
      await waited;
    },
    async close(): Promise<void> {
      isStopped = true;
      for (const { wake } of lines) wake();
      await Promise.all(lines.map(({ running }) => running));
      failures.settle();
    },
  };
}

/** Builds a pause that `wake` can end early: a hit that waits for the servers must not wait for the pause. */
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
 * What the loop for one server needs. `sendAll` sends all waiting rows to the server, or throws if the server does not
 * accept them. `isUrgent` is true if the answer to some hit waits for servers.
 */
type ServerLine = { sendAll(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/**
 * Sends waiting rows to one server again and again until `isStopped` gives true. Between two sends it pauses for 1 s.
 * If the answer to a hit waits for servers, the pause is 1 ms.
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

/** Makes the log message for rows that could not be sent. Either this disk cannot be written, or the server failed. */
function describeFailure({ url }: Node, error: unknown) {
  const { code, message } = error as Error & { code?: string };
  const details = { url, message: message.split('\n')[0] ?? '' };
  if (code?.startsWith('SQLITE_'))
    return { kind: code, event: 'the outbox cannot be written, so that nothing can be sent', details };
  return { kind: url, event: 'the cluster does not take hits; they wait in the outbox', details };
}

type Shipping = Deps & {
  db: Db;
  /** The servers to which sending failed the last time. A new hit does not wake their loops. */
  away: Set<Node>;
  isStopped(): boolean;
  /** Called each time a server has received rows. Hits that wait for the server can then be answered. */
  sent(): void;
};

/**
 * Lists for each server whether it has all rows (complete) and whether it answers. A server that the database file does
 * not know yet is new, and counts as complete.
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
 * Lists the servers of a shard that must receive a row before it is deleted here. They have the same rows. Nothing is
 * kept for a `lacking` server, because it gets a copy from another server later. Otherwise the file could grow for
 * weeks. If no server of the shard is `complete`, there is none to copy from. Then the list is empty, and no row is
 * deleted.
 */
function listReplicasToKeepFor(servers: readonly Server[], shard: number): number[] {
  const own = servers.filter((one) => one.shard === shard);
  if (!own.some(({ state }) => state === 'complete')) return [];
  return own.filter(({ state }) => state !== 'lacking').map(({ replica }) => replica);
}

/**
 * Sends all waiting rows to a server. A server in the state `lacking` gets none, because all rows are copied to it
 * later.
 */
async function sendAllTo(
  { db, nodes, clock, listServers, away, behind, isStopped, sent }: Shipping,
  node: Node,
): Promise<void> {
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
    // Some rows may be in the outbox only for a server that has just become `lacking`. It gets a copy of all rows
    // later, so these rows can be deleted now.
    remove();
    while (!isStopped() && (await sendNext({ db, nodes, name, clock }, node, kind, end))) {
      remove();
      sent();
    }
  }
  behind.delete(node);
  away.delete(node);
}
