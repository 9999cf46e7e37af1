// Computes which rows have arrived at each ClickHouse server from all senders together. The senders are the primary and
// its collectors. A day is sealed only after all rows of the day have arrived.
//
// Invariant: the slowest sender decides. So no day is sealed while a sender still has hits of that day.
//
// Example: the primary and the collector c1 have sent everything to the servers A and B. To server C, c1 has sent only
// hits from before 23:50. Then 23:50 is the common progress for A, B and C together, and C is late. due-days.ts uses
// this file.
import { iso } from '../../lib/time.ts';
import { listCollectors } from '../../store/cluster/collectors.ts';
import { LATE_SECONDS, type Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import type { Shipped } from '../outbox/outbox.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * Which rows have arrived from one sender. If a day cannot be sealed because of this sender, the operator sees
 * `reason`.
 */
type SenderProgress = Progress & { reason: string };

/** Which rows have arrived from all senders. `reason` names the slowest sender. */
export type LeastShipped = Shipped & { reason: string };

/**
 * Lists the progress of the primary and of each collector. A collector that never started has no rows, so no day waits
 * for it.
 */
export function listProgress(db: Db, own: Progress): SenderProgress[] {
  const collectors = listCollectors(db).flatMap(({ name, seenAt, status }): SenderProgress[] => {
    if (!status) return [];
    const { until } = status;
    const reason = `the collector ${name} has sent its hits until ${iso(until)}. Last contact: ${iso(seenAt)}. If it is off, start it. If its disk is lost, run daybook collectors retire ${name} --lost`;
    return [{ ...status, reason }];
  });
  return [{ ...own, reason: `what this server took since ${iso(own.until)} waits for the cluster` }, ...collectors];
}

/**
 * Finds which rows have arrived at a server from one sender. Undefined if the sender has not reported about this server
 * yet.
 */
const findProgress = ({ servers }: SenderProgress, url: string): Shipped | undefined =>
  servers.find((one) => one.url === url);

const NOTHING: Shipped = { next: 0, until: 0 };

/**
 * Finds which rows have arrived from all senders at all given servers. For each pair of a sender and a server, `until`
 * is a time. All rows from before this time have arrived. The earliest of these times is returned. Only days that ended
 * before the returned time are sealed. Otherwise sealed days would lack hits that arrive later.
 */
export function findLeastShipped(senders: readonly SenderProgress[], nodes: readonly Node[]): LeastShipped {
  const all = senders.flatMap((sender) =>
    nodes.map(({ url }) => ({ ...(findProgress(sender, url) ?? NOTHING), reason: sender.reason })),
  );
  const least = all.toSorted((one, other) => one.until - other.until)[0] ?? { ...NOTHING, reason: '' };
  return { until: least.until, next: Math.min(...all.map(({ next }) => next)), reason: least.reason };
}

/**
 * Lists servers that are over a minute behind a replica of their shard. Days can then be sealed without these servers.
 * A server about which some sender has not reported yet is not in the list.
 */
export function listLate(senders: readonly SenderProgress[], nodes: readonly Node[]): Node[] {
  const known = nodes.filter(({ url }) => senders.every((sender) => findProgress(sender, url)));
  const findUntil = (node: Node): number => findLeastShipped(senders, [node]).until;
  const best = new Map<number, number>();
  for (const node of known) best.set(node.shard, Math.max(findUntil(node), best.get(node.shard) ?? 0));
  return known.filter((node) => findUntil(node) < (best.get(node.shard) ?? 0) - LATE_SECONDS);
}
