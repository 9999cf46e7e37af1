// The keeper looks after the servers of a primary. Each minute it compares the mark of every complete server with the beat that
// the file notes. A server with an older mark has lost something and counts as lacking from then on. Then the marks are raised
// (marks.ts). A server that answers again after a silence is compared first.
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { changeServerState, listKnownServers } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { raiseMarks, readBeat } from './marks.ts';
import type { Node, Nodes } from './nodes.ts';
import { judgeBeat } from './ownership.ts';

const EVERY_MS = 60_000;

type Deps = { db: Db; nodes: Nodes; clock: Clock; log: Log };

/** Looks at the servers when asked, and every minute until it is closed. */
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

/** Notes a server as lacking if its mark is older than the beat in the file. */
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
