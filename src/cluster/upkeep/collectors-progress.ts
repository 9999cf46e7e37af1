/*
 * Up to where servers of the cluster have what was taken, by all senders: the primary and its collectors.
 *
 * Example: the primary and the collector c1 have sent everything to the servers one and two of a shard; c1 has sent what it took until
 * 23:50 to three. Then all three together have everything until 23:50, one and two until now, and three is late.
 */
import { iso, MINUTE } from '../../lib/time.ts';
import { listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { Shipped } from '../outbox/outbox.ts';
import type { Node } from '../servers/nodes.ts';

/** What a sender has said; `reason` says in words how far it is, and what to do. */
type SenderProgress = Pick<Progress, 'next' | 'until'> & { servers?: Progress['servers']; reason: string };

/** `reason` is in words which sender is furthest back. */
export type LeastShipped = Shipped & { reason: string };

/** All senders. A collector that was never started has taken nothing. */
export function listProgress(db: Db, own: Progress): SenderProgress[] {
  const collectors = listCollectors(db).flatMap(({ name, seenAt, status }): SenderProgress[] => {
    if (!status) return [];
    const { until } = status;
    const reason = `the collector ${name} said at ${iso(seenAt)} that it has sent what it took until ${iso(until)}; start it, or give it up with daybook collectors retire ${name} --lost`;
    return [{ ...status, reason }];
  });
  return [{ ...own, reason: `what this server took since ${iso(own.until)} waits for the cluster` }, ...collectors];
}

/** How far a sender is with a server; undefined where it has said nothing of that one. */
function findProgress({ servers, next, until }: SenderProgress, url: string): Shipped | undefined {
  // A collector from before the first release spoke of all servers together.
  return servers ? servers.find((one) => one.url === url) : { next, until };
}

const NOTHING: Shipped = { next: 0, until: 0 };

/** Up to where all senders have sent to some servers what they took. */
export function leastShipped(senders: readonly SenderProgress[], nodes: readonly Node[]): LeastShipped {
  const all = senders.flatMap((sender) =>
    nodes.map(({ url }) => ({ ...(findProgress(sender, url) ?? NOTHING), reason: sender.reason })),
  );
  const least = all.toSorted((one, other) => one.until - other.until)[0] ?? { ...NOTHING, reason: '' };
  return { until: least.until, next: Math.min(...all.map(({ next }) => next)), reason: least.reason };
}

/** A server that is so much further back than another of its shard is late. */
const LATE_SECONDS = MINUTE;

/** The servers that lack what others of their shard have had for a while, of which each sender has said how far it is. */
export function listLate(senders: readonly SenderProgress[], nodes: readonly Node[]): Node[] {
  const known = nodes.filter(({ url }) => senders.every((sender) => findProgress(sender, url)));
  const untilOf = (node: Node): number => leastShipped(senders, [node]).until;
  const best = new Map<number, number>();
  for (const node of known) best.set(node.shard, Math.max(untilOf(node), best.get(node.shard) ?? 0));
  return known.filter((node) => untilOf(node) < (best.get(node.shard) ?? 0) - LATE_SECONDS);
}
