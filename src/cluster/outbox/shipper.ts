// The shipper sends what is in the outbox to every server of the cluster. Each server has a line of its own, so a server that is
// away holds up no other.
//
// Invariant: a piece stays in the outbox until all complete and filling replicas of its shard have it. A complete server gets
// everything. A server that is being filled gets what comes after its cut (progress.ts). A lacking server gets nothing, and
// nothing is kept for it.
//
// Example: replica B of a shard is away for an hour. Its line tries again after 1, 2, 4, 5 and then every 5 s. Replica A gets
// its parcels as before, and the pieces of that hour stay until B has them.
//
// Called by intake.ts.
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

/** A server gets one parcel of rows a second at most, because ClickHouse makes a new file of each. */
const PAUSE_MS = 1_000;
/** After each failure in a row the pause doubles, up to 5 s. */
const LONGEST_PAUSE_MS = 5_000;

type Deps = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[]; log: Log; clock: Clock };

/** Sends what is in an outbox until it is closed. */
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

  /** Wakes the lines of servers that answer. For the others each hit would be one more try. */
  function wakeReachable(): void {
    for (const [i, { wake }] of lines.entries()) if (!shipping.away.has(nodes.all[i] as Node)) wake();
  }

  return {
    /** When a server took the last parcel, since the start. */
    findParcelTime: () => parcelAt,
    /** Why some servers cannot acknowledge a hit now. */
    findRefusal: (receivers: Receivers) =>
      receivers === 'replicas' ? findMissingReplica(listStandings(shipping)) : undefined,
    /** Resolves when servers have all pieces of the outbox up to this one. Rejects with `unavailable` when the patience is over. */
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

/** A pause that can be cut short. */
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

/** The work for one server. `sendAll` sends all pieces of the outbox, and throws if the server does not take them. */
type ServerLine = { sendAll(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/** Sends to one server until it is stopped. The next send follows at once if a hit waits for it, else after a pause. */
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

/** What the log says about a parcel that was not sent, or an outbox that cannot be written. */
function describeFailure({ url }: Node, error: unknown) {
  const { code, message } = error as Error & { code?: string };
  const details = { url, message: message.split('\n')[0] ?? '' };
  if (code?.startsWith('SQLITE_'))
    return { kind: code, event: 'the outbox cannot be written, so that nothing can be sent', details };
  return { kind: url, event: 'the cluster does not take hits; they wait in the outbox', details };
}

type Shipping = Deps & {
  db: Db;
  /** The servers that did not take the last parcel. */
  away: Set<Node>;
  isStopped(): boolean;
  /** Called after each parcel that a server took. */
  sent(): void;
};

/** Which servers are complete, and which answer. A server that the file does not know yet counts as complete. */
function listStandings({ nodes, listServers, away }: Shipping): ServerStanding[] {
  const states = new Map(listServers().map(({ url, state }) => [url, state]));
  return nodes.all.map((node) => ({
    node,
    isComplete: (states.get(node.url) ?? 'complete') === 'complete',
    isAway: away.has(node),
  }));
}

/** The replicas of a shard that are waited for: a piece stays in the outbox until all of them have it. */
function listReplicasToKeepFor(servers: readonly Server[], shard: number): number[] {
  const own = servers.filter((one) => one.shard === shard);
  if (!own.some(({ state }) => state === 'complete')) return [];
  return own.filter(({ state }) => state !== 'lacking').map(({ replica }) => replica);
}

/** Sends all pieces of the outbox to a server, unless the server is lacking. */
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
  // Pieces that come meanwhile are sent the next time.
  const end = findLastPiece(db);
  for (const kind of KINDS) {
    const remove = () => removeSent(db, node.shard, kind, listReplicasToKeepFor(listServers(), node.shard));
    // Some pieces may have stayed only for a server that is lacking now.
    remove();
    while (!isStopped() && (await sendNext({ db, nodes, name, clock }, node, kind, end))) {
      remove();
      sent();
    }
  }
  behind.delete(node);
  away.delete(node);
}
