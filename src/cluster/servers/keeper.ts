// The keeper checks each minute whether ClickHouse servers have lost rows. Each server has a mark with a number, the
// beat. A beat below the beat in the database file shows an older or empty disk. Such a server becomes `lacking`. Then
// all other servers get a new, higher beat.
//
// In between, the keeper looks every five seconds whether each server still responds and has the mark of its place. So
// the log soon says that a server stopped, and a server with an empty or older disk or a wrong name is seldom used.
//
// Invariant: a server that responds again is checked before it is used. A server whose name leads to another server
// counts as away. Hits for it wait in the outbox until the name is right.
//
// Example: the file notes beat 70 for a server. The server comes back with a disk from yesterday and beat 40, so it
// becomes `lacking`.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { hasCopiedDisk } from './copied-disks.ts';
import { raiseMarks, readBeat } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { judgeBeat } from './ownership.ts';
import { WrongPlace } from './places.ts';

const EVERY_MS = 60_000;
const LOOK_MS = 5_000;

type Deps = { db: Db; nodes: Nodes; clock: Clock; log: Log };

/** Checks every minute, and when `keep` is called, whether servers have lost rows. */
export function startKeeper(deps: Deps) {
  const { nodes } = deps;
  const there = () => nodes.listComplete().filter((node) => !nodes.isAway(node));
  let running: Promise<void> | undefined;
  const looking = new Set<Node>();

  async function compareAll(): Promise<void> {
    await Promise.allSettled(there().map((node) => compareMark(deps, node)));
    // The database file may be an old backup, with a lower beat than the servers. The low beat shows that the file is
    // old. So while no server responds, the beat in the file must not grow to the beat on the servers.
    if (there().length > 0) await raiseMarks(deps, there());
  }

  function keep(): Promise<void> {
    running ??= compareAll()
      .catch((error: Error) => deps.log('the servers of the cluster could not be checked', { message: error.message }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  function look(): void {
    for (const node of there().filter((one) => !looking.has(one))) {
      looking.add(node);
      nodes
        .assertPlace(node)
        .then((reason) => (reason ? compareMark(deps, node) : undefined))
        // A server that does not respond, or whose name is wrong, counts as away by now.
        .catch(() => {})
        .finally(() => looking.delete(node));
    }
  }

  const timers = [setInterval(() => void keep(), EVERY_MS).unref(), setInterval(look, LOOK_MS).unref()];
  return {
    keep,
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}

/**
 * Stops using a server (state `lacking`) if its beat is below the beat in the database file. A low beat shows that the
 * server has an old disk and lacks rows. A server with a copy of another server's disk lacks rows too. Throws if the
 * name of the server leads to another server.
 */
export async function compareMark({ db, nodes, clock, log }: Deps, node: Node): Promise<void> {
  const isOwn = ({ url, state }: { url: string; state: string }) => url === node.url && state === 'complete';
  const before = listKnownServers(db).find(isOwn);
  if (!before) return;
  const isCopy = await nodes.assertPlace(node).then(
    () => false,
    async (error: Error) => {
      if (error instanceof WrongPlace && (await hasCopiedDisk({ db, nodes }, node, error.place))) return true;
      throw error;
    },
  );
  const reason = isCopy ? 'restored' : judgeBeat(await readBeat({ db, nodes }, node), before.beat);
  // While the mark was read, a fill may have deleted it, and then made the server complete again.
  if (!reason || !listKnownServers(db).some((one) => isOwn(one) && one.fill === before.fill)) return;
  db.write(() => changeServerState(db, node.url, { state: 'lacking', reason, now: seconds(clock) }));
  log('a server of the cluster lacks data that it had. Queries no longer use it', { url: node.url, reason });
}
