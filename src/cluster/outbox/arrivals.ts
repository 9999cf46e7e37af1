// Waits until ClickHouse servers have received hits. Hits wait in the outbox, a file, in pieces (groups of rows). With
// the option `ack=replicas`, the answer to a hit waits for all servers. With `ack=reachable`, the answer waits for all
// servers that do answer. Storing a past day as visits (sealing) waits here too.
//
// Invariant: a hit waits for at most 10 s. After that the answer is 503, and the sender may try again.
//
// Example: a cluster has four servers, and one does not answer. With `replicas` a hit is refused immediately, and the
// error names that server. With `reachable` the hit waits for the other three servers. shipper.ts calls buildArrivals.
import { coded } from '../../lang/coded.ts';
import type { Ack } from '../../lib/ack.ts';
import { Problem } from '../../lib/errors.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * Which ClickHouse servers must have received a hit before its sender gets an answer. `replicas`: all servers.
 * `reachable`: all servers that answer, and at least one of each shard (a group of servers with the same rows).
 */
export type Receivers = Exclude<Ack, 'disk'>;

export type ServerStanding = { node: Node; isComplete: boolean; isAway: boolean };

/** A hit waits for the ClickHouse servers for at most 10 s. Then its sender gets 503 and may try again. */
const PATIENCE_MS = 10_000;

type Waiter = { piece: number; receivers: Receivers; done(): void; failed(error: Problem): void };

export function buildArrivals(listStandings: () => ServerStanding[], findFirst: (node: Node) => number) {
  const waiting = new Set<Waiter>();
  let isDue = false;

  /**
   * Ends the waiting of hits that enough ClickHouse servers have received. With `replicas`, hits fail at once if any
   * server does not answer or lacks rows, because they would wait in vain.
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
     * Resolves when the ClickHouse servers have all rows of the outbox up to `piece`, the number of a group of rows.
     * Rejects with `unavailable` after `patienceMs`, so that the sender of a hit does not wait for ever.
     */
    wait(piece: number, receivers: Receivers, patienceMs = PATIENCE_MS): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => one.failed(new Problem('unavailable')), patienceMs);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(one);
      };
      const one: Waiter = {
        piece,
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

/** Gives an error if some ClickHouse server cannot receive a hit now: it does not answer, or lacks rows. */
export const findMissingReplica = (standings: readonly ServerStanding[]): Problem | undefined => {
  const missing = standings.find(({ isComplete, isAway }) => !isComplete || isAway);
  return missing && makeRefusal(missing);
};

/**
 * True if enough ClickHouse servers have received the rows of `piece`. Then the sender of these hits gets an answer.
 * `findFirst` gives the first piece (group of rows) that a server has not received.
 */
function hasArrived(
  { piece, receivers }: Waiter,
  standings: readonly ServerStanding[],
  findFirst: (node: Node) => number,
): boolean {
  const has = ({ node }: ServerStanding) => findFirst(node) > piece;
  if (receivers === 'replicas') return standings.every(has);
  const complete = standings.filter(({ isComplete }) => isComplete);
  const shards = new Set(standings.map(({ node }) => node.shard));
  return (
    complete.every((one) => one.isAway || has(one)) &&
    [...shards].every((shard) => complete.some((one) => one.node.shard === shard && has(one)))
  );
}
