// The keeper checks each minute whether ClickHouse servers have lost rows. Each server has a mark with a number, the
// beat. The database file notes which beat the server should have. A lower beat shows an older or empty disk. Such a
// server becomes `lacking`: it is not used until rows are copied. Then all other servers get a new, higher beat.
//
// Invariant: a server that answers again is checked before it is used. Example: the file notes beat 70 for a server. It
// comes back with a disk from yesterday and beat 40, so it becomes `lacking`.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { raiseMarks, readBeat } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { judgeBeat } from './ownership.ts';

const EVERY_MS = 60_000;

type Deps = { db: Db; nodes: Nodes; clock: Clock; log: Log };

/** Checks every minute, and when `keep` is called, whether ClickHouse servers have lost rows. `close` ends this. */
export function startKeeper(deps: Deps) {
  const { nodes } = deps;
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    const there = () => nodes.listComplete().filter((node) => !nodes.isAway(node));
    await Promise.allSettled(there().map((node) => compareMark(deps, node)));
    await raiseMarks(deps, there());
  }

  function keep(): Promise<void> {
    running ??= look()
      .catch((error: Error) => deps.log('the servers were not looked after', { message: error.message }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  const timer = setInterval(() => void keep(), EVERY_MS).unref();
  return {
    keep,
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Stops using a server (state `lacking`) if its mark is older than the database file notes. A mark has a number, the
 * beat, that daybook raises each minute. An old mark shows that the server has an old disk and lacks rows.
 */
export async function compareMark({ db, nodes, clock, log }: Deps, node: Node): Promise<void> {
  const isOwn = ({ url, state }: { url: string; state: string }) => url === node.url && state === 'complete';
  const before = listKnownServers(db).find(isOwn);
  if (!before) return;
  const beat = await readBeat({ db, nodes }, node);
  const reason = judgeBeat(beat, before.beat);
  if (!reason || !listKnownServers(db).some(isOwn)) return;
  db.write(() => changeServerState(db, node.url, { state: 'lacking', reason, now: seconds(clock) }));
  log('a server of the cluster has not what it had; it is left out', { url: node.url, reason });
}
