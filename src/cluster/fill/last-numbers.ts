// Finds the highest row number of the primary on ClickHouse servers. New row numbers of the primary must be higher.
// Usually the outbox of the primary knows this number. If the outbox was lost, only the servers know it.
//
// Example: row numbers are made from the time. The clock of the primary was an hour ahead, and was then set right. For
// an hour, the time alone would give lower numbers than the servers have.
import { KINDS } from '../outbox/outbox.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { PRIMARY, SENDERS } from '../servers/row-numbers.ts';

/** Gives 0 if a server has no rows of the primary. */
export async function findLastNumber({ askOne }: Pick<Nodes, 'askOne'>, node: Node): Promise<number> {
  const last = KINDS.map((table) => `(SELECT max(seq) FROM ${table} WHERE seq % ${SENDERS} = ${PRIMARY})`);
  const [found] = await askOne<{ last: number }>(node, `SELECT greatest(${last.join(', ')}) AS last`);
  return found?.last ?? 0;
}

/**
 * Asks all complete servers that respond, and gives the highest number. The lost outbox may have had rows that a server
 * still lacked. Then this server has a lower number than a replica. It is not used until the replica's rows are copied.
 */
export async function findLastStored(nodes: Pick<Nodes, 'askOne' | 'listComplete' | 'leaveOut'>): Promise<number> {
  const asked = nodes.listComplete().map(async (node) => ({ node, last: await findLastNumber(nodes, node) }));
  const found = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  for (const { node, last } of found)
    if (found.some((other) => other.node.shard === node.shard && other.last > last)) nodes.leaveOut(node);
  return Math.max(0, ...found.map(({ last }) => last));
}
