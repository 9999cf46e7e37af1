// Sends hits from the outbox to the ClickHouse servers in parcels. A parcel is one INSERT. It has one or more pieces
// (rows of the outbox) for one table and shard.
//
// Invariant: each server stores each row of a parcel once, even if the parcel was sent several times. Before sending,
// the outbox notes which pieces are in the parcel. The parcel is repeated unchanged until the server has certainly
// received it. A server gets one parcel at a time for a table. The outbox may be an older copy, for example in a
// snapshot of the machine. So pieces that wait when the process starts may have been sent before, in other parcels.
//
// Example: a parcel with the pieces 7, 8 and 9 is sent, and the connection ends without an answer. The outbox has noted
// sending = 9. When daybook repeats the parcel, it first asks the server which rows are there. Then it sends the
// missing rows. shipper.ts calls sendNext.
import { hash } from 'node:crypto';
import type { Clock } from '../../lib/time.ts';
import {
  findLastToSend,
  findReceipt,
  listLines,
  removeReceived,
  setReceipt,
} from '../../store/cluster/outbox-pieces.ts';
import { addParcel } from '../../store/cluster/outbox-sender.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { SENDERS } from '../servers/row-numbers.ts';
import type { PieceKind } from './outbox.ts';

const PARCEL_BYTES = 16 * 1024 * 1024;

export type ParcelDeps = {
  db: Db;
  nodes: Nodes;
  name: string;
  clock: Clock;
  /**
   * The id of the last piece that waited when this process started. Servers may already have the pieces up to this id.
   */
  former?: number;
};

/**
 * Sends the next parcel, up to 16 MB of rows for one table, to a server. Only pieces with ids up to `end` are sent.
 * Gives false if no such piece waits. The outbox first notes what is sent (`sending`). So after a crash the parcel is
 * repeated unchanged, and no row counts twice.
 */
export async function sendNext(deps: ParcelDeps, node: Node, kind: PieceKind, end: number): Promise<boolean> {
  const { db, nodes, name, former = 0 } = deps;
  const receiver = { shard: node.shard, replica: node.replica, kind };
  const { done, sending: begun } = findReceipt(db, receiver);
  const findLast = (last: number) => findLastToSend(db, receiver, { after: done, end: last }, PARCEL_BYTES);
  const maybeSent = begun ?? (done < former ? findLast(Math.min(end, former)) : undefined);
  const until = maybeSent ?? findLast(end);
  if (until === undefined) return false;
  const lines = listLines(db, receiver, done, until);
  if (begun === null) db.write(() => setReceipt(db, receiver, { done, sending: until }));
  const token = makeToken(`${name}-${kind}-${done + 1}-${until}`, lines);
  if (maybeSent === undefined) await nodes.insert(node, kind, lines, token);
  else await sendAgain(deps, node, kind, lines, token);
  db.write(() => {
    setReceipt(db, receiver, { done: until, sending: null });
    addParcel(db);
  });
  return true;
}

/**
 * Deletes the pieces that all servers in `replicas` have received. A transaction deletes at most 16 MB, because
 * SQLite's write-ahead log grows by as many bytes. On a full disk, a larger transaction would fail.
 */
export function removeSent(db: Db, shard: number, kind: PieceKind, replicas: readonly number[]): void {
  while (db.write(() => removeReceived(db, { shard, kind }, replicas, PARCEL_BYTES)));
}

/**
 * Makes the token of an insert. ClickHouse ignores a second insert with an equal token. Without the hash, two copies of
 * an outbox file would use one token for different rows. ClickHouse would ignore the rows of the second copy.
 */
const makeToken = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

type ParcelRow = { day: number; seq: number };

const parseLines = (lines: string): (ParcelRow & { line: string })[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as ParcelRow) }));

/** Finds which rows in `lines` the server lacks. Only the missing rows are sent again. */
async function findMissing(nodes: Nodes, node: Node, kind: PieceKind, lines: string): Promise<string> {
  const rows = parseLines(lines);
  const days = [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => {
    const seqs = own.map(({ seq }) => seq).sort((one, other) => one - other);
    return `(day = ${day} AND seq BETWEEN ${seqs[0]} AND ${seqs.at(-1)})`;
  });
  const senders = [...new Set(rows.map(({ seq }) => seq % SENDERS))];
  const there = await nodes.askOne<ParcelRow>(
    node,
    `SELECT DISTINCT day, seq FROM ${kind} WHERE (${days.join(' OR ')}) AND seq % ${SENDERS} IN (${senders.join()})`,
  );
  const known = new Set(there.map(makeKey));
  return rows.flatMap((row) => (known.has(makeKey(row)) ? [] : [`${row.line}\n`])).join('');
}

const makeKey = ({ day, seq }: ParcelRow): string => `${day} ${seq}`;

/**
 * Repeats a parcel. The server may already have some of its rows. So the server is first asked which rows it has, and
 * only missing rows are sent.
 *
 * ClickHouse writes the token of an insert to disk before the rows. If ClickHouse is killed in between, it ignores the
 * repeated insert and still lacks the rows. So rows that are still missing are sent with a new token, unless the
 * earlier insert still runs (test/cluster/kill.test.ts).
 */
async function sendAgain(
  { nodes, clock }: ParcelDeps,
  node: Node,
  kind: PieceKind,
  lines: string,
  token: string,
): Promise<void> {
  // The outbox keeps no rows for a server in the state `lacking`, because a replica copies all missing rows to this
  // server later. So the rows of this parcel may be gone. Then nothing is sent.
  if (lines === '') return;
  // The host name of the server may now lead to its replica, which has these rows. Then `findMissing` would find no
  // missing rows, and the server would never get them. `insert` checks the host name too, but only after `findMissing`.
  await nodes.assertUsable(node);
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
