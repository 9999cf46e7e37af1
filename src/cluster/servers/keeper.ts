// The keeper checks the ClickHouse servers each minute. A mark is a number on a server (its beat), and the database
// file notes which beat the server should have. If the beat on a server is lower, the server has lost rows and becomes
// `lacking`: it is not used until rows are copied. Then all servers get a new, higher beat (marks.ts). A server that
// answers again is checked before it is used.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { raiseMarks, readBeat } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { judgeBeat } from './ownership.ts';

const EVERY_MS = 60_000;

type Deps = { db: Db; nodes: Nodes; clock: Clock; log: Log };

/** Checks the servers when `keep` is called, and every minute until `close` is called. */
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
 * Makes a server `lacking` if its mark is older than the mark that the database file notes. A mark has a number that
 * daybook raises each minute. A `lacking` server is not used until its missing rows are copied.
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
