// Arrivals are pieces of the outbox that have reached the servers. With `ack=replicas` or `ack=reachable`, the answer to a hit
// waits here until its piece has arrived. The sealing of days waits here too.
//
// Invariant: nothing waits longer than its patience, which is 10 s for a hit. Then the answer is 503, and the sender may try
// again.
//
// Example: two shards have two replicas each, and one replica does not answer. With `replicas` a hit is refused at once, and the
// error names the server. With `reachable` the hit waits for the other three.
//
// Called by shipper.ts.
import { coded } from '../../lang/coded.ts';
import type { Ack } from '../../lib/ack.ts';
import { Problem } from '../../lib/errors.ts';
import type { Node } from '../servers/nodes.ts';

/** Which servers must have a hit: all replicas, or those that answer, with at least one of each shard. */
export type Receivers = Exclude<Ack, 'disk'>;

/** Whether a server has all rows of its shard, and whether it fails to answer. */
export type ServerStanding = { node: Node; isComplete: boolean; isAway: boolean };

/** A hit waits 10 s at most. Then its sender is asked to come again. */
const PATIENCE_MS = 10_000;

type Waiter = { piece: number; receivers: Receivers; done(): void; failed(error: Problem): void };

/** Builds functions that wait until servers have the pieces of hits. */
export function buildArrivals(listStandings: () => ServerStanding[], findFirst: (node: Node) => number) {
  const waiting = new Set<Waiter>();
  let isDue = false;

  /** Ends the waiting for a piece of the outbox if servers have it, or cannot get it now. */
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

  /** Looks once for all hits that begin to wait in one turn of the event loop. */
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
    /** Resolves when servers have all pieces of the outbox up to this one. Rejects with `unavailable` when the patience is over. */
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

/** Why a hit cannot be acknowledged by every replica now. */
export const findMissingReplica = (standings: readonly ServerStanding[]): Problem | undefined => {
  const missing = standings.find(({ isComplete, isAway }) => !isComplete || isAway);
  return missing && makeRefusal(missing);
};

/** Whether the servers have a piece of the outbox. `findFirst` gives the first piece that a server lacks. */
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
