// The progress of all senders together: which rows each server has of those that the primary and its collectors took. The
// sealing of days waits for it.
//
// Invariant: all senders together are no further than the one that is furthest back. So no day is sealed while a sender still
// has hits of it.
//
// Example: the primary and the collector c1 have sent everything to the servers one and two. To server three c1 has sent what it
// took until 23:50. Then one and two have everything until now, all three together until 23:50, and three is late.
//
// Called by nightly.ts.
import { iso, MINUTE } from '../../lib/time.ts';
import { listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { Shipped } from '../outbox/outbox.ts';
import type { Node } from '../servers/nodes.ts';

/** The progress of a sender. `reason` is a sentence that names the sender and says what to do if it is behind. */
type SenderProgress = Progress & { reason: string };

/** The progress of all senders together. `reason` is a sentence about the one that is furthest back. */
export type LeastShipped = Shipped & { reason: string };

/** The progress of each sender. A collector that was never started has taken nothing and is left out. */
export function listProgress(db: Db, own: Progress): SenderProgress[] {
  const collectors = listCollectors(db).flatMap(({ name, seenAt, status }): SenderProgress[] => {
    if (!status) return [];
    const { until } = status;
    const reason = `the collector ${name} said at ${iso(seenAt)} that it has sent what it took until ${iso(until)}; start it, or give it up with daybook collectors retire ${name} --lost`;
    return [{ ...status, reason }];
  });
  return [{ ...own, reason: `what this server took since ${iso(own.until)} waits for the cluster` }, ...collectors];
}

/** The progress of a sender with one server; undefined if the sender has not reported any. */
const findProgress = ({ servers }: SenderProgress, url: string): Shipped | undefined =>
  servers.find((one) => one.url === url);

const NOTHING: Shipped = { next: 0, until: 0 };

/** The progress of all senders with some servers together. */
export function findLeastShipped(senders: readonly SenderProgress[], nodes: readonly Node[]): LeastShipped {
  const all = senders.flatMap((sender) =>
    nodes.map(({ url }) => ({ ...(findProgress(sender, url) ?? NOTHING), reason: sender.reason })),
  );
  const least = all.toSorted((one, other) => one.until - other.until)[0] ?? { ...NOTHING, reason: '' };
  return { until: least.until, next: Math.min(...all.map(({ next }) => next)), reason: least.reason };
}

/** A server that is a minute behind another of its shard is late. */
const LATE_SECONDS = MINUTE;

/** The late servers. A server counts only if every sender has reported its progress with it. */
export function listLate(senders: readonly SenderProgress[], nodes: readonly Node[]): Node[] {
  const known = nodes.filter(({ url }) => senders.every((sender) => findProgress(sender, url)));
  const findUntil = (node: Node): number => findLeastShipped(senders, [node]).until;
  const best = new Map<number, number>();
  for (const node of known) best.set(node.shard, Math.max(findUntil(node), best.get(node.shard) ?? 0));
  return known.filter((node) => findUntil(node) < (best.get(node.shard) ?? 0) - LATE_SECONDS);
}
