// Finds the highest row numbers of senders on ClickHouse servers. A sender sends its rows to all servers in one order.
// So a server with a lower number than a replica lacks rows. Usually the outbox of the sender has these rows. If the
// outbox was lost, only the replica has them.
//
// Example: the machine of a collector is lost. Server A has its rows up to number 900, and replica B up to 880. After
// `daybook collectors retire NAME --lost`, B is filled from A. If the outbox of the primary is lost, its next start
// compares the numbers. The clock of the primary may have been ahead when it gave the numbers. filler.ts and engine.ts
// use this file. Test: test/cluster/fill/lost-outbox.test.ts.
import { listKnownServers, wantFill } from '../../store/cluster/cluster-servers.ts';
import { listLost } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import { KINDS } from '../outbox/outbox.ts';
import { raiseMarks } from '../servers/marks.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { PRIMARY, SENDERS } from '../servers/row-numbers.ts';

/** A server with the highest row number of each sender. Senders without rows are left out. */
type LastNumbers = { node: Node; last: ReadonlyMap<number, number> };

/** Gives 0 if a server has no rows of the primary. */
export const findLastNumber = async (nodes: Pick<Nodes, 'askOne'>, node: Node): Promise<number> =>
  (await readLast(nodes, node, [PRIMARY])).last.get(PRIMARY) ?? 0;

/**
 * Asks all complete servers that respond, and gives the highest number of the primary. A server that lacks rows is not
 * used until the rows of a replica are copied.
 */
export async function findLastStored(nodes: Pick<Nodes, 'askOne' | 'listComplete' | 'leaveOut'>): Promise<number> {
  const asked = nodes.listComplete().map((node) => readLast(nodes, node, [PRIMARY]));
  const found = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  for (const node of listShort(found)) nodes.leaveOut(node);
  return Math.max(0, ...found.map(({ last }) => last.get(PRIMARY) ?? 0));
}

type Deps = { db: Db; nodes: Nodes };

/**
 * Builds a function that requests a fill of each server that lacks rows of a lost collector. Each collector is compared
 * once, as soon as all complete servers respond. It may still run. So the marks on these servers name it first, and it
 * sends nothing after the comparison.
 */
export function buildLostCheck({ db, nodes }: Deps) {
  const compared = new Set<number>();
  async function compare(): Promise<void> {
    const senders = listLost(db).map(({ number }) => number);
    const complete = nodes.listComplete();
    if (senders.every((one) => compared.has(one)) || complete.some((node) => nodes.isAway(node))) return;
    const beat = await raiseMarks({ db, nodes }, complete);
    const marked = new Map(listKnownServers(db).map((server) => [server.url, server.beat]));
    if (complete.some(({ url }) => (marked.get(url) ?? 0) < beat)) return;
    const found = await Promise.all(complete.map((node) => readLast(nodes, node, senders)));
    db.write(() => {
      for (const { url } of listShort(found)) wantFill(db, url);
    });
    for (const one of senders) compared.add(one);
  }
  // If a server does not respond, the next call compares again.
  return (): Promise<void> => compare().catch(() => {});
}

async function readLast(
  { askOne }: Pick<Nodes, 'askOne'>,
  node: Node,
  senders: readonly number[],
): Promise<LastNumbers> {
  const own = `seq % ${SENDERS}`;
  const rows = KINDS.map(
    (table) =>
      `SELECT ${own} AS sender, max(seq) AS n FROM ${table} WHERE ${own} IN (${senders.join()}) GROUP BY sender`,
  );
  const sql = `SELECT sender, max(n) AS last FROM (${rows.join(' UNION ALL ')}) GROUP BY sender`;
  const found = await askOne<{ sender: number; last: number }>(node, sql);
  return { node, last: new Map(found.map(({ sender, last }) => [sender, last])) };
}

/**
 * Lists the servers that lack rows of a sender, and a replica has these rows. If the replica lacks rows of another
 * sender, a fill would delete them. Then the server is not in the list.
 */
const listShort = (found: readonly LastNumbers[]): Node[] =>
  found
    .filter((one) => found.some((other) => other.node.shard === one.node.shard && isShort(one.last, other.last)))
    .map(({ node }) => node);

function isShort(own: LastNumbers['last'], other: LastNumbers['last']): boolean {
  const more = [...new Set([...own.keys(), ...other.keys()])].map(
    (sender) => (other.get(sender) ?? 0) - (own.get(sender) ?? 0),
  );
  return more.some((one) => one > 0) && more.every((one) => one >= 0);
}
