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

/** Asks all complete servers. A server that does not respond is left out. */
export async function findLastStored(nodes: Pick<Nodes, 'askOne' | 'listComplete'>): Promise<number> {
  const found = await Promise.allSettled(nodes.listComplete().map((node) => findLastNumber(nodes, node)));
  return Math.max(0, ...found.map((one) => (one.status === 'fulfilled' ? one.value : 0)));
}
