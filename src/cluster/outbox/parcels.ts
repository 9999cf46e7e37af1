// A parcel is one or more pieces of the outbox, of the same kind and for the same shard. A parcel is sent to a server
// as one INSERT.
//
// Invariant: each server stores a parcel only once, even if it was sent several times. Before sending, the outbox notes
// which pieces are in the parcel. The parcel is repeated unchanged until the server has certainly received it. A sender
// never sends two parcels of the same kind to a server at the same time.
//
// Example: a parcel with the pieces 7, 8 and 9 is sent, and the connection ends without an answer. The receipt in the
// outbox says sending = 9. At the next try, daybook asks the server which days of the parcel it has, and sends the
// other days. shipper.ts calls sendNext.
import { hash } from 'node:crypto';
import type { Clock } from '../../lib/time.ts';
import {
  addParcel,
  findLastToSend,
  findReceipt,
  listLines,
  removeReceived,
  setReceipt,
} from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import type { PieceKind } from './outbox.ts';

const PARCEL_BYTES = 16 * 1024 * 1024;

export type ParcelDeps = { db: Db; nodes: Nodes; name: string; clock: Clock };

/**
 * Sends the next parcel to a server. A parcel has pieces (groups of rows) of one kind, up to the piece `end`. Gives
 * false if there is nothing to send.
 */
export async function sendNext(deps: ParcelDeps, node: Node, kind: PieceKind, end: number): Promise<boolean> {
  const { db, nodes, name } = deps;
  const receiver = { shard: node.shard, replica: node.replica, kind };
  const { done, sending: begun } = findReceipt(db, receiver);
  const until = begun ?? findLastToSend(db, receiver, { after: done, end }, PARCEL_BYTES);
  if (until === undefined) return false;
  const lines = listLines(db, receiver, done, until);
  if (begun === null) db.write(() => setReceipt(db, receiver, { done, sending: until }));
  const token = makeToken(`${name}-${kind}-${done + 1}-${until}`, lines);
  if (begun === null) await nodes.insert(node, kind, lines, token);
  else await sendAgain(deps, node, kind, lines, token);
  db.write(() => {
    setReceipt(db, receiver, { done: until, sending: null });
    addParcel(db);
  });
  return true;
}

/**
 * Deletes the pieces (groups of rows) that all of these replicas have received. Each transaction deletes the pieces of
 * at most one parcel. A larger transaction might not fit on a full disk, because the WAL grows with it.
 */
export function removeSent(db: Db, shard: number, kind: PieceKind, replicas: readonly number[]): void {
  while (db.write(() => removeReceived(db, { shard, kind }, replicas, PARCEL_BYTES)));
}

/**
 * ClickHouse stores only the first of two inserts with the same token. If an outbox file was copied, both copies use
 * the same name, but for different lines. So the token ends with a hash of the lines.
 */
const makeToken = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

type ParcelRow = { day: number; seq: number };

const parseLines = (lines: string): (ParcelRow & { line: string })[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as ParcelRow) }));

/** Finds the lines of a parcel whose rows a server does not have. */
async function findMissing(nodes: Nodes, node: Node, kind: PieceKind, lines: string): Promise<string> {
  // The rows of a parcel are grouped by day. ClickHouse writes all rows of a day together. So if the server has the
  // first row of a day, it has the other rows of that day too.
  const days = Map.groupBy(parseLines(lines), ({ day }) => day);
  const pairs = [...days].map(([day, [first]]) => `(${day}, ${first?.seq})`).join(', ');
  const there = await nodes.askOne<ParcelRow>(
    node,
    `SELECT DISTINCT day, seq FROM ${kind} WHERE (day, seq) IN (${pairs})`,
  );
  for (const { day } of there) days.delete(day);
  return [...days.values()].flatMap((own) => own.map(({ line }) => `${line}\n`)).join('');
}

/**
 * Repeats a parcel that the server may already have. ClickHouse forgets old tokens, so the server is first asked for
 * the rows. ClickHouse also writes a token to disk before the rows. If it is killed between the two, it ignores the
 * repeated parcel. So rows that are still missing are sent with a new token, unless the first request is still
 * running (test/cluster/kill.test.ts).
 */
async function sendAgain(
  { nodes, clock }: ParcelDeps,
  node: Node,
  kind: PieceKind,
  lines: string,
  token: string,
): Promise<void> {
  // While a server is `lacking`, all pieces of its parcel may be deleted. Then nothing is left to repeat.
  if (lines === '') return;
  const unknown = await findMissing(nodes, node, kind, lines);
  if (unknown === '') return;
  await nodes.insert(node, kind, unknown, token);
  if ((await findMissing(nodes, node, kind, lines)) === '') return;
  const running = `SELECT count() AS n FROM system.processes WHERE query_id = '${token}'`;
  const [found] = await nodes.askOne<{ n: number }>(node, running);
  if (found?.n !== 0) throw new Error('an earlier attempt is still under way');
  const missing = await findMissing(nodes, node, kind, lines);
  if (missing !== '') await nodes.insert(node, kind, missing, `${token}-${clock.now()}`);
}
