// Computes the progress of all senders together. The senders are the primary server and its collectors. Their progress
// says which of their rows each ClickHouse server has received. A day is sealed only after its rows have been received.
//
// Invariant: the common progress is that of the slowest sender. So no day is sealed while a sender still has hits of
// that day.
//
// Example: the primary server and the collector c1 have sent everything to the servers A and B. To server C, c1 has
// sent only hits that it received before 23:50. Then the common progress for A, B and C is 23:50, and C is late.
// nightly.ts uses this file.
import { iso, MINUTE } from '../../lib/time.ts';
import { listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { Shipped } from '../outbox/outbox.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * The progress of a sender (the primary server or a collector). `reason` is a text for the operator. It names the
 * sender and says what to do if the sender is slow.
 */
type SenderProgress = Progress & { reason: string };

/** The common progress of all senders. `reason` is a text about the slowest sender. */
export type LeastShipped = Shipped & { reason: string };

/**
 * Lists the progress of each sender (the primary server and the collectors). A collector that was never started has
 * no hits and is not listed.
 */
export function listProgress(db: Db, own: Progress): SenderProgress[] {
  const collectors = listCollectors(db).flatMap(({ name, seenAt, status }): SenderProgress[] => {
    if (!status) return [];
    const { until } = status;
    const reason = `the collector ${name} said at ${iso(seenAt)} that it has sent what it took until ${iso(until)}; start it, or give it up with daybook collectors retire ${name} --lost`;
    return [{ ...status, reason }];
  });
  return [{ ...own, reason: `what this server took since ${iso(own.until)} waits for the cluster` }, ...collectors];
}

/**
 * Finds which rows of a sender (the primary server or a collector) one server has received. Gives undefined if the
 * sender has not reported that.
 */
const findProgress = ({ servers }: SenderProgress, url: string): Shipped | undefined =>
  servers.find((one) => one.url === url);

const NOTHING: Shipped = { next: 0, until: 0 };

/**
 * Finds which rows all of these servers have received from all senders. The senders are the primary server and the
 * collectors.
 */
export function findLeastShipped(senders: readonly SenderProgress[], nodes: readonly Node[]): LeastShipped {
  const all = senders.flatMap((sender) =>
    nodes.map(({ url }) => ({ ...(findProgress(sender, url) ?? NOTHING), reason: sender.reason })),
  );
  const least = all.toSorted((one, other) => one.until - other.until)[0] ?? { ...NOTHING, reason: '' };
  return { until: least.until, next: Math.min(...all.map(({ next }) => next)), reason: least.reason };
}

/** A server is late if it is more than this time behind another replica of its shard. */
const LATE_SECONDS = MINUTE;

/**
 * Lists the late servers: servers that are more than a minute behind another replica of their shard. A server is
 * ignored until the primary server and every collector have reported what this server has received.
 */
export function listLate(senders: readonly SenderProgress[], nodes: readonly Node[]): Node[] {
  const known = nodes.filter(({ url }) => senders.every((sender) => findProgress(sender, url)));
  const findUntil = (node: Node): number => findLeastShipped(senders, [node]).until;
  const best = new Map<number, number>();
  for (const node of known) best.set(node.shard, Math.max(findUntil(node), best.get(node.shard) ?? 0));
  return known.filter((node) => findUntil(node) < (best.get(node.shard) ?? 0) - LATE_SECONDS);
}
