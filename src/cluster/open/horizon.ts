// Finds which rows the ClickHouse servers have for certain. A hit and its heartbeat may come from two collectors, and
// the heartbeat may arrive first. So rows are copied only once all senders have sent their earlier rows.
//
// Invariant: at least one complete server of each shard has all rows with numbers below the horizon.
//
// Example: the primary has sent everything up to number 900, and a collector reported number 850 a second ago. Then rows
// below 850 are copied. engine.ts calls `findHorizon`.
import type { Nodes } from '../servers/nodes.ts';

/** For each server, a sender has sent all of its rows below the number in `reached`. */
type Sender = { reached: ReadonlyMap<string, number> };

export function findHorizon(nodes: Pick<Nodes, 'listComplete'>, senders: readonly Sender[]): number {
  const shards = new Map<number, number>();
  for (const { url, shard } of nodes.listComplete()) {
    const reached = Math.min(...senders.map((sender) => sender.reached.get(url) ?? 0));
    shards.set(shard, Math.max(reached, shards.get(shard) ?? 0));
  }
  return Math.min(...shards.values());
}
