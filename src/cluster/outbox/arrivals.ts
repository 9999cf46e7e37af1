/*
 * Waits until servers have what was taken. A hit that is acknowledged only by replicas waits here, and the sealing of days.
 *
 * Example: two shards with two replicas, of which one does not answer. With `replicas` a hit is refused at once,
 * and the server is named. With `reachable` it waits for the other three.
 */
import { coded } from '../../lang/coded.ts';
import type { Ack } from '../../lib/ack.ts';
import { Problem } from '../../lib/errors.ts';
import type { Node } from '../servers/nodes.ts';

/** Whose receipt is waited for: that of all replicas, or of those that answer, one of each shard at least. */
export type Receivers = Exclude<Ack, 'disk'>;

type Waiting = { piece: number; receivers: Receivers; done(): void; failed(error: Problem): void };

/** What is known of a server: whether it is complete, and whether it answers. */
export type Standing = { node: Node; isComplete: boolean; isAway: boolean };

/** So long a hit waits at most; then its sender is asked to come again. */
const PATIENCE_MS = 10_000;

const refusalOf = ({ node, isAway }: Standing): Problem => {
  const { host } = new URL(node.url);
  return new Problem('unavailable', { message: coded(isAway ? 'server_away' : 'server_lacking', { host }) });
};

/** Why a hit cannot be acknowledged now by every replica. */
export const missingReplica = (standings: readonly Standing[]): Problem | undefined => {
  const missing = standings.find(({ isComplete, isAway }) => !isComplete || isAway);
  return missing && refusalOf(missing);
};

/** `firstOf` gives the first piece that a server lacks. */
function hasArrived(
  { piece, receivers }: Waiting,
  standings: readonly Standing[],
  firstOf: (node: Node) => number,
): boolean {
  const has = ({ node }: Standing) => firstOf(node) > piece;
  if (receivers === 'replicas') return standings.every(has);
  const complete = standings.filter(({ isComplete }) => isComplete);
  const shards = new Set(standings.map(({ node }) => node.shard));
  return (
    complete.every((one) => one.isAway || has(one)) &&
    [...shards].every((shard) => complete.some((one) => one.node.shard === shard && has(one)))
  );
}

/** Those that wait for servers, and how these stand. */
export function arrivals(listStandings: () => Standing[], findFirstLacking: (node: Node) => number) {
  const waiting = new Set<Waiting>();
  let isDue = false;

  /** Ends the waiting of those whose piece has arrived, or cannot arrive now. */
  function look(): void {
    if (waiting.size === 0) return;
    const standings = listStandings();
    const firsts = new Map(standings.map(({ node }) => [node, findFirstLacking(node)]));
    const missing = missingReplica(standings);
    for (const one of waiting) {
      if (hasArrived(one, standings, (node) => firsts.get(node) ?? 0)) one.done();
      else if (missing && one.receivers === 'replicas') one.failed(missing);
    }
  }

  /** Once for all that begin to wait in one turn of the event loop. */
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
    /** Resolves when servers have the pieces up to one; rejects with `makeUnavailable` when that takes too long. */
    wait(piece: number, receivers: Receivers, patienceMs = PATIENCE_MS): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => one.failed(new Problem('unavailable')), patienceMs);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(one);
      };
      const one: Waiting = {
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
