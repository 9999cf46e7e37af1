// The shipper sends the pieces of the outbox to every server of the cluster. There is one independent loop (a line) for
// each server. So a server that does not answer delays no other server.
//
// Invariant: a piece stays in the outbox until all complete and filling replicas of its shard have it. A complete
// server gets everything. A server that is being filled gets pieces after a certain number (its cut, see progress.ts).
// A `lacking` server (it waits for a copy of rows) gets nothing, and no piece stays in the outbox for it.
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

/** A server gets at most one parcel of rows a second, because ClickHouse makes a new file for each parcel. */
const PAUSE_MS = 1_000;
/** After each further failure the pause doubles, up to this length. */
const LONGEST_PAUSE_MS = 5_000;

type Deps = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[]; log: Log; clock: Clock };

/** Sends the pieces of an outbox to all servers until `close` is called. */
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
   * Makes the loops of servers that answer send immediately. For other servers each new hit would cause another
   * failing try.
   */
  function wakeReachable(): void {
    for (const [i, { wake }] of lines.entries()) if (!shipping.away.has(nodes.all[i] as Node)) wake();
  }

  return {
    /** When a server received the last parcel (one request with rows) since this process started. */
    findParcelTime: () => parcelAt,
    /** Gives an error if a server that must receive a hit cannot receive it now. */
    findRefusal: (receivers: Receivers) =>
      receivers === 'replicas' ? findMissingReplica(listStandings(shipping)) : undefined,
    /**
     * Resolves when the servers have received all pieces (groups of rows) of the outbox up to `until`. Rejects with
     * `unavailable` after `patienceMs` milliseconds.
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

/** Builds a pause that `wake` can end early. */
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
 * The loop for one server. `sendAll` sends all pieces of the outbox to the server. It throws if the server does not
 * accept them. `isUrgent` tells whether the answer to a hit waits until this server has received the hit.
 */
type ServerLine = { sendAll(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/**
 * Sends to one server again and again until `isStopped` gives true. If the answer to a hit waits for this server, the
 * pause between two sends is 1 ms.
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

/** Makes the log message for a parcel that could not be sent, or an outbox that cannot be written. */
function describeFailure({ url }: Node, error: unknown) {
  const { code, message } = error as Error & { code?: string };
  const details = { url, message: message.split('\n')[0] ?? '' };
  if (code?.startsWith('SQLITE_'))
    return { kind: code, event: 'the outbox cannot be written, so that nothing can be sent', details };
  return { kind: url, event: 'the cluster does not take hits; they wait in the outbox', details };
}

type Shipping = Deps & {
  db: Db;
  /** The servers that did not accept the last parcel. */
  away: Set<Node>;
  isStopped(): boolean;
  /** Called after each parcel that a server received. */
  sent(): void;
};

/**
 * Lists which servers are complete, and which do not answer. A server that is not in the database file yet counts as
 * complete.
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
 * Lists the replicas of a shard for which pieces (groups of rows) stay in the outbox. A piece is deleted when all of
 * these replicas have received it.
 */
function listReplicasToKeepFor(servers: readonly Server[], shard: number): number[] {
  const own = servers.filter((one) => one.shard === shard);
  if (!own.some(({ state }) => state === 'complete')) return [];
  return own.filter(({ state }) => state !== 'lacking').map(({ replica }) => replica);
}

/** Sends all pieces of the outbox to a server. Sends nothing to a `lacking` server, which waits for a copy of rows. */
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
  // Rows that are written to the outbox during this loop are sent the next time.
  const end = findLastPiece(db);
  for (const kind of KINDS) {
    const remove = () => removeSent(db, node.shard, kind, listReplicasToKeepFor(listServers(), node.shard));
    // Some pieces (groups of rows) are in the outbox only for a server that has become `lacking`. It gets a copy of
    // rows later, so these pieces are deleted.
    remove();
    while (!isStopped() && (await sendNext({ db, nodes, name, clock }, node, kind, end))) {
      remove();
      sent();
    }
  }
  behind.delete(node);
  away.delete(node);
}
