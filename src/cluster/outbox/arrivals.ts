// Waits until ClickHouse servers have received hits. With the option `ack=replicas`, the answer to a hit waits for all
// servers. With `ack=reachable`, the answer waits for the servers that respond. Before a day is sealed, the primary
// also uses this file to wait for the hits of the day.
//
// Invariant: a hit waits for at most 10 s. After that the answer is 503, and the client may send the hit again.
//
// Example: a cluster has four servers, and one does not respond. With `replicas` a hit is refused immediately, and the
// error names that server. With `reachable` the hit waits for the other three servers. shipper.ts calls buildArrivals.
import { coded } from '../../lang/coded.ts';
import type { Ack } from '../../lib/ack.ts';
import { Problem } from '../../lib/errors.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * Which servers must have a hit before its client gets an answer. `replicas`: all servers. `reachable`: all complete
 * servers that respond, and at least one of each shard.
 */
export type Receivers = Exclude<Ack, 'disk'>;

export type ServerStanding = { node: Node; isComplete: boolean; isAway: boolean };

/** How long a hit may wait. With a longer wait, the client would give up before it gets the answer. */
const PATIENCE_MS = 10_000;

/** A batch that waits. `number` is a row number. All rows of the batch have this number or a lower one. */
type Waiter = { number: number; receivers: Receivers; done(): void; failed(error: Problem): void };

export function buildArrivals(listStandings: () => ServerStanding[], findFirst: (node: Node) => number) {
  const waiting = new Set<Waiter>();
  let isDue = false;

  /**
   * Ends the waiting of hits that enough servers have received. Hits with `replicas` are refused at once if a server
   * does not respond or lacks rows.
   */
  function look(): void {
    if (waiting.size === 0) return;
    const standings = listStandings();
    const firsts = new Map(standings.map(({ node }) => [node, findFirst(node)]));
    const missing = findMissingReplica(standings);
    for (const one of waiting) {
      if (hasArrived(one, standings, (node) => firsts.get(node) ?? 0)) one.done();
      else if (missing && one.receivers === 'replicas') one.failed(missing);
    }
  }

  /** Calls `look` soon. If 100 hits begin to wait in one turn of the event loop, `look` runs once and not 100 times. */
  function lookSoon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      look();
    });
  }

  return {
    look,
    isAnybodyWaiting: () => waiting.size > 0,
    /**
     * Resolves when the servers have all rows up to `number`. Rejects with `unavailable` (status 503) after
     * `patienceMs`. Ids in the outbox could not replace row numbers here: hits whose shards are decided late get a
     * new id (hold.ts).
     */
    wait(number: number, receivers: Receivers, patienceMs = PATIENCE_MS): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => one.failed(new Problem('unavailable')), patienceMs);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(one);
      };
      const one: Waiter = {
        number,
        receivers,
        done() {
          end();
          resolve();
        },
        failed(error) {
          end();
          reject(error);
        },
      };
      waiting.add(one);
      lookSoon();
      return promise;
    },
  };
}

const makeRefusal = ({ node, isAway }: ServerStanding): Problem => {
  const { host } = new URL(node.url);
  return new Problem('unavailable', { message: coded(isAway ? 'server_away' : 'server_lacking', { host }) });
};

/** Gives an error if a server does not respond or lacks rows, so that it cannot receive a hit now. */
export const findMissingReplica = (standings: readonly ServerStanding[]): Problem | undefined => {
  const missing = standings.find(({ isComplete, isAway }) => !isComplete || isAway);
  return missing && makeRefusal(missing);
};

/** `findFirst` gives the lowest number of the rows that a server has not received. */
function hasArrived(
  { number, receivers }: Waiter,
  standings: readonly ServerStanding[],
  findFirst: (node: Node) => number,
): boolean {
  const has = ({ node }: ServerStanding) => findFirst(node) > number;
  if (receivers === 'replicas') return standings.every(has);
  const complete = standings.filter(({ isComplete }) => isComplete);
  const shards = new Set(standings.map(({ node }) => node.shard));
  return (
    complete.every((one) => one.isAway || has(one)) &&
    [...shards].every((shard) => complete.some((one) => one.node.shard === shard && has(one)))
  );
}
