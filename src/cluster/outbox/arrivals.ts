// Waits until servers have received pieces (groups of rows) of the outbox. With `ack=replicas`, the answer to a hit
// waits for all replicas. With `ack=reachable`, the answer waits for all servers that do answer. Sealing waits here
// too.
//
// Invariant: a hit waits for at most 10 s. After that the answer is 503, and the sender may try again.
//
// Example: two shards have two replicas each, and one replica does not answer. With `replicas` a hit is refused
// immediately, and the error names that server. With `reachable` the hit waits for the other three servers. shipper.ts
// calls buildArrivals.
import { coded } from '../../lang/coded.ts';
import type { Ack } from '../../lib/ack.ts';
import { Problem } from '../../lib/errors.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * Which servers must have received a hit. `replicas`: all replicas. `reachable`: all servers that answer, and at
 * least one replica of each shard.
 */
export type Receivers = Exclude<Ack, 'disk'>;

export type ServerStanding = { node: Node; isComplete: boolean; isAway: boolean };

/** A hit waits for at most this time. Then its sender gets 503 and may try again. */
const PATIENCE_MS = 10_000;

type Waiter = { piece: number; receivers: Receivers; done(): void; failed(error: Problem): void };

export function buildArrivals(listStandings: () => ServerStanding[], findFirst: (node: Node) => number) {
  const waiting = new Set<Waiter>();
  let isDue = false;

  /**
   * Resolves the promise of each hit that enough servers have received. Rejects it if a required server cannot receive
   * the hit now.
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

  /** Calls `look` once for all calls of this function in the same turn of the event loop. */
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
     * Resolves when the servers have received all pieces (groups of rows) of the outbox up to `piece`. Rejects with
     * `unavailable` after `patienceMs` milliseconds.
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

/** Gives an error if some replica cannot receive a hit now. Such a replica lacks rows or does not answer. */
export const findMissingReplica = (standings: readonly ServerStanding[]): Problem | undefined => {
  const missing = standings.find(({ isComplete, isAway }) => !isComplete || isAway);
  return missing && makeRefusal(missing);
};

/**
 * Tells whether enough servers have received a piece (group of rows) of the outbox. `findFirst` gives the first piece
 * that a server has not received.
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
