// Sends hits from the outbox (a file of hits that wait for the ClickHouse servers) in parcels. The outbox has its rows
// in pieces. A parcel has one or more pieces for the same table and shard. It is sent to a server as one INSERT.
//
// Invariant: each server stores a parcel only once, even if it was sent several times. Before sending, the outbox notes
// which pieces are in the parcel. The parcel is repeated unchanged until the server has certainly received it. Two
// parcels for the same table are never sent to a server at the same time.
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
 * Sends the next parcel, up to 16 MB of rows for one table, to a server. The outbox first notes what is sent
 * (`sending`). So after a crash the same parcel is repeated, and no row counts twice. Gives false if nothing waits.
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
 * Deletes the rows of the outbox file that all of these servers have received. Each transaction deletes at most 16 MB,
 * because SQLite's write-ahead log grows as much. A larger transaction might not fit on a full disk.
 */
export function removeSent(db: Db, shard: number, kind: PieceKind, replicas: readonly number[]): void {
  while (db.write(() => removeReceived(db, { shard, kind }, replicas, PARCEL_BYTES)));
}

/**
 * Makes the token of an insert. ClickHouse ignores a second insert with the same token. Two copies of an outbox file
 * would use the same `name` for different rows, and some would be lost. So the token ends with a hash of the rows.
 */
const makeToken = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

type ParcelRow = { day: number; seq: number };

const parseLines = (lines: string): (ParcelRow & { line: string })[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as ParcelRow) }));

/** Finds which of these rows a server does not have yet, so that only these are sent again. */
async function findMissing(nodes: Nodes, node: Node, kind: PieceKind, lines: string): Promise<string> {
  // ClickHouse writes all rows of one insert that have the same day together. So if the server has the first row of a
  // day, it has all of them. Looking for one row a day is enough.
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
 * Repeats a parcel (the rows of one insert) of which the server may already have rows. The server is asked for them,
 * and only missing rows are sent, with the same token. A server that knows a token ignores the insert. But it writes
 * the token to disk before the rows. If it was killed in between, it ignores the repeated insert and still lacks the
 * rows. Then they are sent with a new token, unless the first insert still runs (test/cluster/kill.test.ts).
 */
async function sendAgain(
  { nodes, clock }: ParcelDeps,
  node: Node,
  kind: PieceKind,
  lines: string,
  token: string,
): Promise<void> {
  // No rows are kept for a server whose state is `lacking`, so the rows of its parcel may be deleted. Then there is
  // nothing to repeat: the server gets a copy of all missing rows later.
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
