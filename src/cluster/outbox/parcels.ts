/*
 * Sends parcels of an outbox to one server. A parcel is some pieces of one kind for one shard. Which pieces these are is written down
 * before it is sent, and it is sent again, unchanged, until the server is known to have it.
 *
 * Invariant: a parcel is on each server once, however often it was sent. Of one sender and one kind a server gets one parcel at a time.
 *
 * Example: a parcel of the pieces 7 to 9 goes out, and the connection ends without an answer. The receipt says sending = 9. The server is
 * asked for the first row of each day of the parcel, and gets the days that it lacks.
 *
 * Called by shipper.ts.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../lib/time.ts';
import { findReceipt, lastToSend, listLines, removeReceived, setReceipt } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import type { Kind } from './outbox.ts';

const PARCEL_BYTES = 16 * 1024 * 1024;

export type Sending = { db: Db; nodes: Nodes; name: string; clock: Clock };

/** Sends the next parcel of a kind, with pieces up to `end`; false if there is none. */
export async function sendNext(sending: Sending, node: Node, kind: Kind, end: number): Promise<boolean> {
  const { db, nodes, name } = sending;
  const receiver = { shard: node.shard, replica: node.replica, kind };
  const { done, sending: begun } = findReceipt(db, receiver);
  const until = begun ?? lastToSend(db, receiver, { after: done, end }, PARCEL_BYTES);
  if (until === undefined) return false;
  const lines = listLines(db, receiver, done, until);
  if (begun === null) db.write(() => setReceipt(db, receiver, { done, sending: until }));
  const token = tokenOf(`${name}-${kind}-${done + 1}-${until}`, lines);
  if (begun === null) await nodes.insert(node, kind, lines, token);
  else await sendAgain(sending, node, kind, lines, token);
  db.write(() => setReceipt(db, receiver, { done: until, sending: null }));
  return true;
}

/**
 * Removes the pieces that all of some replicas have. At most a parcel goes in one transaction, because a disk that is full has room for
 * little more.
 */
export function removeSent(db: Db, shard: number, kind: Kind, replicas: readonly number[]): void {
  while (db.write(() => removeReceived(db, { shard, kind }, replicas, PARCEL_BYTES)));
}

/** A parcel's name ends with what is in it, so that what two copies of an outbox send is never taken for the same. */
const tokenOf = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

type Row = { day: number; seq?: number };

const rowsOf = (lines: string): (Row & { line: string })[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as Row) }));

/** What a server lacks of a parcel. */
async function missingOf(nodes: Nodes, node: Node, kind: Kind, lines: string): Promise<string> {
  // Those of a day are written together.
  const days = Map.groupBy(rowsOf(lines), ({ day }) => day);
  const pairs = [...days].map(([day, [first]]) => `(${day}, ${first?.seq})`).join(', ');
  const there = await nodes.askOne<Row>(node, `SELECT DISTINCT day, seq FROM ${kind} WHERE (day, seq) IN (${pairs})`);
  for (const { day } of there) days.delete(day);
  return [...days.values()].flatMap((own) => own.map(({ line }) => `${line}\n`)).join('');
}

/**
 * Sends what may have been taken. ClickHouse knows the names of the last parcels only, and with several collectors so many may have come
 * since; so it is asked for the rows first. And it writes a name down before it shows the rows, so that a server that was killed in
 * between ignores a parcel that it does not have: then these get another name, unless the first attempt is still under way. Both were
 * found by test/cluster/kill.test.ts.
 */
async function sendAgain(
  { nodes, clock }: Sending,
  node: Node,
  kind: Kind,
  lines: string,
  token: string,
): Promise<void> {
  // A version from before the first release gave no numbers to what was not an activity.
  if (rowsOf(lines).some(({ seq }) => seq === undefined)) {
    await nodes.insert(node, kind, lines, token);
    return;
  }
  const unknown = await missingOf(nodes, node, kind, lines);
  if (unknown === '') return;
  await nodes.insert(node, kind, unknown, token);
  if ((await missingOf(nodes, node, kind, lines)) === '') return;
  const running = `SELECT count() AS n FROM system.processes WHERE query_id = '${token}'`;
  const [found] = await nodes.askOne<{ n: number }>(node, running);
  if (found?.n !== 0) throw new Error('an earlier attempt is still under way');
  const missing = await missingOf(nodes, node, kind, lines);
  if (missing !== '') await nodes.insert(node, kind, missing, `${token}-${clock.now()}`);
}
