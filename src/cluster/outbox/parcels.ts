// A parcel is some pieces of the outbox of one kind for one shard. Parcels are sent to one server here, each as one INSERT.
//
// Invariant: a parcel is on each server once, however often it was sent. Its pieces are written down before it is sent. Then it
// is sent again, unchanged, until the server is known to have it. Of one sender and one kind a server gets one parcel at a time.
//
// Example: a parcel of the pieces 7 to 9 is sent, and the connection ends without an answer. The receipt in the outbox says
// sending = 9. Next time the server is asked which days of the parcel it has, and gets the others.
//
// Called by shipper.ts.
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

/** Sends the next parcel of a kind: some pieces of the outbox, up to the piece `end`. Gives false if there are none. */
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
 * Removes the pieces of the outbox that all of the given replicas have. A transaction removes at most one parcel, because a full
 * disk has room for little more in its WAL.
 */
export function removeSent(db: Db, shard: number, kind: PieceKind, replicas: readonly number[]): void {
  while (db.write(() => removeReceived(db, { shard, kind }, replicas, PARCEL_BYTES)));
}

/**
 * The token of a parcel ends with a hash of its lines. Two copies of an outbox may give one name to different lines, and
 * ClickHouse would store only the first.
 */
const makeToken = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

type ParcelRow = { day: number; seq: number };

const parseLines = (lines: string): (ParcelRow & { line: string })[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as ParcelRow) }));

/** The lines of a parcel that a server lacks. */
async function findMissing(nodes: Nodes, node: Node, kind: PieceKind, lines: string): Promise<string> {
  // ClickHouse writes the rows of a day together, so the first row stands for all.
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
 * Sends a parcel again that may have arrived. ClickHouse forgets old tokens, so it is asked for the rows first. Also, ClickHouse
 * writes a token down before it shows the rows. A server that was killed in between would ignore the parcel. So missing rows get
 * a new token, unless the first attempt still runs. Test: test/cluster/kill.test.ts.
 */
async function sendAgain(
  { nodes, clock }: ParcelDeps,
  node: Node,
  kind: PieceKind,
  lines: string,
  token: string,
): Promise<void> {
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
