/*
 * Sends what is in an outbox to every server of the cluster, to each on its own, so that one that is away holds up no other.
 *
 * A server that is complete gets everything. One that is lacking gets nothing, and nothing is kept for it. One that is being filled gets
 * what came after its cut (progress.ts). A piece is removed when all complete and filling replicas of its shard have it.
 *
 * Called by intake.ts.
 */
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { trouble } from '../../lib/trouble.ts';
import type { Server } from '../../store/cluster/cluster-servers.ts';
import { findCut, findSender, lastPiece, type Outbox } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { arrivals, missingReplica, type Receivers, type Standing } from './arrivals.ts';
import { KINDS } from './outbox.ts';
import { removeSent, sendNext } from './parcels.ts';
import { firstLacking, takeCut } from './progress.ts';

/** At most one parcel a second goes to a server, because each is a file there. */
const PAUSE_MS = 1_000;
/** After a failure it waits for longer each time. */
const LONGEST_PAUSE_MS = 5_000;

type Deps = { nodes: Nodes; behind: Set<Node>; listServers(): readonly Server[]; log: Log; clock: Clock };

/** A rest that can be cut short. */
function sleeper() {
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

/** How the work for one server goes: a round sends all that there is, and fails if the server does not take it. */
type Work = { round(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/** Sends to one server until it is stopped: at once while somebody waits, else after a rest, and after a failure after a longer one. */
function line({ round, isStopped, isUrgent, failed }: Work) {
  const { rest, wake } = sleeper();
  let pause = PAUSE_MS;
  async function run(): Promise<void> {
    while (!isStopped()) {
      try {
        await round();
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

/** What the log says where a parcel could not be sent, or that could not be written down. */
function failureOf({ url }: Node, error: unknown) {
  const { code, message } = error as Error & { code?: string };
  const details = { url, message: message.split('\n')[0] ?? '' };
  if (code?.startsWith('SQLITE_'))
    return { kind: code, event: 'the outbox cannot be written, so that nothing can be sent', details };
  return { kind: url, event: 'the cluster does not take hits; they wait in the outbox', details };
}

type Sender = Deps & {
  db: Db;
  /** The servers that did not take the last parcel. */
  away: Set<Node>;
  isStopped(): boolean;
  /** Called with each parcel that was taken. */
  sent(): void;
};

/** Which servers are complete, and answer. One that the file does not name yet is complete. */
function listStandings({ nodes, listServers, away }: Sender): Standing[] {
  const states = new Map(listServers().map(({ url, state }) => [url, state]));
  return nodes.all.map((node) => ({
    node,
    isComplete: (states.get(node.url) ?? 'complete') === 'complete',
    isAway: away.has(node),
  }));
}

/** The replicas of a shard that pieces are kept for. */
function keptFor(servers: readonly Server[], shard: number): number[] {
  const own = servers.filter((one) => one.shard === shard);
  if (!own.some(({ state }) => state === 'complete')) return [];
  return own.filter(({ state }) => state !== 'lacking').map(({ replica }) => replica);
}

/** Sends all that there is to a server, unless it lacks something. */
async function sendAll(
  { db, nodes, clock, listServers, away, behind, isStopped, sent }: Sender,
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
  // What comes meanwhile waits for the next round.
  const end = lastPiece(db);
  for (const kind of KINDS) {
    const remove = () => removeSent(db, node.shard, kind, keptFor(listServers(), node.shard));
    // What is kept only for a server that is waited for no longer.
    remove();
    while (!isStopped() && (await sendNext({ db, nodes, name, clock }, node, kind, end))) {
      remove();
      sent();
    }
  }
  behind.delete(node);
  away.delete(node);
}

/** Sends what is in an outbox until it is closed. */
export function shipper({ db }: Outbox, deps: Deps) {
  const { nodes, behind, log, clock } = deps;
  const failures = trouble(log, clock, 'parcels not taken by the cluster, in all');
  for (const node of nodes.all) if (firstLacking(db, node)) behind.add(node);
  let isStopped = false;
  let parcelAt: number | undefined;
  const sender: Sender = { ...deps, db, away: new Set(), isStopped: () => isStopped, sent };
  const { wait, look, isAnybodyWaiting } = arrivals(
    () => listStandings(sender),
    (node) => firstLacking(db, node)?.id ?? Number.POSITIVE_INFINITY,
  );

  function sent(): void {
    parcelAt = seconds(clock);
    look();
  }

  const lines = nodes.all.map((node) =>
    line({
      async round() {
        await sendAll(sender, node);
        failures.worked();
      },
      isStopped: () => isStopped,
      isUrgent: isAnybodyWaiting,
      failed(error) {
        behind.add(node);
        sender.away.add(node);
        const { kind, event, details } = failureOf(node, error);
        failures.failed(kind, event, details);
        look();
      },
    }),
  );

  /** Where a server does not answer, each hit would be another try. */
  function wakeReachable(): void {
    for (const [i, { wake }] of lines.entries()) if (!sender.away.has(nodes.all[i] as Node)) wake();
  }

  return {
    /** When the last parcel was taken, since the start. */
    parcelAt: () => parcelAt,
    /** Why a hit cannot be acknowledged by some servers now. */
    refusal: (receivers: Receivers) => (receivers === 'replicas' ? missingReplica(listStandings(sender)) : undefined),
    /** Resolves when servers have the pieces up to one; rejects with `makeUnavailable` when that takes too long. */
    async through(until: number, receivers: Receivers, patienceMs?: number): Promise<void> {
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
