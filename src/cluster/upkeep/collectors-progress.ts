// Computes which rows have arrived at each ClickHouse server from all senders together. The senders are the primary
// server and its collectors. A past day is stored as visits (sealed) only after all its rows have arrived.
//
// Invariant: the slowest sender decides. So no day is sealed while a sender still has hits of that day.
//
// Example: the primary server and the collector c1 have sent everything to the servers A and B. To server C, c1 has
// sent only hits that it received before 23:50. Then 23:50 is the common progress for A, B and C, and C is late.
// nightly.ts uses this file.
import { iso, MINUTE } from '../../lib/time.ts';
import { listCollectors, type Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { Shipped } from '../outbox/outbox.ts';
import type { Node } from '../servers/nodes.ts';

/**
 * Which rows the ClickHouse servers have received from one sender of rows (the primary server or a collector). If a
 * past day cannot be stored as visits because of this sender, the operator sees the text `reason`.
 */
type SenderProgress = Progress & { reason: string };

/** Which rows have arrived from all senders (primary server and collectors). `reason` names the slowest sender. */
export type LeastShipped = Shipped & { reason: string };

/**
 * Lists which rows have arrived at which ClickHouse server, for the primary server and each collector (a machine that
 * only takes hits). A collector that never started has no rows, so no day waits for it.
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
 * Finds which rows of a sender (the primary server or a collector) have arrived at one ClickHouse server. Undefined if
 * the sender has not reported about that server yet.
 */
const findProgress = ({ servers }: SenderProgress, url: string): Shipped | undefined =>
  servers.find((one) => one.url === url);

const NOTHING: Shipped = { next: 0, until: 0 };

/**
 * Finds which rows have arrived at all of these ClickHouse servers from all senders (the primary server and the
 * collectors). The slowest pair decides. A past day is stored as visits (sealed) only up to there, so that no late hit
 * is missing.
 */
export function findLeastShipped(senders: readonly SenderProgress[], nodes: readonly Node[]): LeastShipped {
  const all = senders.flatMap((sender) =>
    nodes.map(({ url }) => ({ ...(findProgress(sender, url) ?? NOTHING), reason: sender.reason })),
  );
  const least = all.toSorted((one, other) => one.until - other.until)[0] ?? { ...NOTHING, reason: '' };
  return { until: least.until, next: Math.min(...all.map(({ next }) => next)), reason: least.reason };
}

/** A ClickHouse server is late if it is over a minute behind another server that should have the same rows. */
const LATE_SECONDS = MINUTE;

/**
 * Lists ClickHouse servers that are over a minute behind another server that should have the same rows. Past days can
 * then be stored as visits (sealed) without them. A server counts as late only when the primary server and all
 * collectors have reported about it.
 */
export function listLate(senders: readonly SenderProgress[], nodes: readonly Node[]): Node[] {
  const known = nodes.filter(({ url }) => senders.every((sender) => findProgress(sender, url)));
  const findUntil = (node: Node): number => findLeastShipped(senders, [node]).until;
  const best = new Map<number, number>();
  for (const node of known) best.set(node.shard, Math.max(findUntil(node), best.get(node.shard) ?? 0));
  return known.filter((node) => findUntil(node) < (best.get(node.shard) ?? 0) - LATE_SECONDS);
}
