// The pieces that wait in an outbox, and the receipts, which say which pieces each replica has. These receipts are not
// the signed records of past days. A piece has rows of one kind for one shard. The kinds are the names of ClickHouse
// tables: `activity`, `crawled` and `dropped`.
//
// Invariant: a piece is deleted only after each replica of its shard has received it. A `lacking` replica does not
// count, because it gets a copy of all missing rows later. A piece that may have arrived is sent again unchanged. This
// lets the replica recognise the repetition.
//
// Example: pieces 7, 8 and 9 wait for shard 1. Replica 1 has received all three. Replica 2 has received piece 7, and
// piece 8 is being sent. The receipt of replica 2 is then `{ done: 7, sending: 8 }`, and only piece 7 can be deleted.
// src/cluster/outbox writes and sends pieces.
import type { Db } from '../db.ts';

type Stream = { shard: number; kind: string };

/**
 * The shard number of held pieces. The shards of their day are not decided yet (divisions.ts). All pieces after the
 * first held piece are held too, so that pieces keep their order.
 */
export const HELD = -1;

/** `at` is when the rows of a piece were first written to the outbox. Their row numbers are `seq` or higher. */
type Since = { at: number; seq: number };

export const addPiece = (db: Db, { shard, kind }: Stream, { at, seq }: Since, lines: string): number =>
  db.run('INSERT INTO piece (shard, kind, at, seq, lines) VALUES (?, ?, ?, ?, ?)', shard, kind, at, seq, lines).id;

export const findLastPiece = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'piece'")?.id ?? 0;

/**
 * The pieces of one kind that a replica has. `done` is the id of the last piece that the replica has received.
 * `sending` is the id of the last piece of the request that is being sent.
 */
type Receipt = { done: number; sending: number | null };

type Receiver = Stream & { replica: number };

export const findReceipt = (db: Db, { shard, replica, kind }: Receiver): Receipt =>
  db.one('SELECT done, sending FROM receipt WHERE shard = ? AND replica = ? AND kind = ?', shard, replica, kind) ?? {
    done: 0,
    sending: null,
  };

export const setReceipt = (db: Db, { shard, replica, kind }: Receiver, { done, sending }: Receipt): void => {
  const sql = 'REPLACE INTO receipt (shard, replica, kind, done, sending) VALUES (?, ?, ?, ?, ?)';
  db.run(sql, shard, replica, kind, done, sending);
};

/**
 * Finds the last piece for the next request to a replica. The request has pieces with ids above `after` and up to
 * `end`: at most 5,000 pieces, with at most `most` bytes together. The first piece is sent even if that piece alone is
 * larger.
 */
export function findLastToSend(
  db: Db,
  { shard, kind }: Stream,
  { after, end }: { after: number; end: number },
  most: number,
): number | undefined {
  const sql = `SELECT max(id) AS id FROM (
      SELECT id, sum(octet_length(lines)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS n FROM (
        SELECT id, lines FROM piece WHERE shard = ? AND kind = ? AND id > ? AND id <= ? ORDER BY id LIMIT 5000)
    ) WHERE bytes <= ? OR n = 1`;
  return db.one<{ id: number | null }>(sql, shard, kind, after, end, most)?.id ?? undefined;
}

export const listLines = (db: Db, { shard, kind }: Stream, after: number, until: number): string =>
  db
    .all<{ lines: string }>(
      'SELECT lines FROM piece WHERE shard = ? AND kind = ? AND id > ? AND id <= ? ORDER BY id',
      shard,
      kind,
      after,
      until,
    )
    .map(({ lines }) => lines)
    .join('');

/** Finds the last piece that all given replicas have received. Returns 0 if the list of replicas is empty. */
export const findLeastDone = (db: Db, { shard, kind }: Stream, replicas: readonly number[]): number =>
  replicas.length === 0 ? 0 : Math.min(...replicas.map((replica) => findReceipt(db, { shard, kind, replica }).done));

/**
 * Deletes the oldest pieces that all given replicas have received, at most `most` bytes in one call. Returns false if
 * nothing could be deleted.
 */
export function removeReceived(db: Db, stream: Stream, replicas: readonly number[], most: number): boolean {
  const end = findLeastDone(db, stream, replicas);
  const last = end === 0 ? undefined : findLastToSend(db, stream, { after: 0, end }, most);
  if (last === undefined) return false;
  db.run('DELETE FROM piece WHERE shard = ? AND kind = ? AND id <= ?', stream.shard, stream.kind, last);
  return true;
}

/**
 * Deletes pieces whose first row number is `seq` or lower. An older copy of the outbox file may still have these
 * pieces. The servers have received the rows, and the days of the rows are sealed. If the rows were sent again, they
 * would count twice. Deletes at most 100 pieces in one call. Returns false if no piece was left to delete.
 */
export const removeDelivered = (db: Db, seq: number): boolean =>
  db.run('DELETE FROM piece WHERE id IN (SELECT id FROM piece WHERE seq <= ? LIMIT 100)', seq).changes > 0;

type Waiting = Since & { id: number };

export const findFirstWaiting = (db: Db): Waiting | undefined =>
  db.one('SELECT id, at, seq FROM piece ORDER BY id LIMIT 1');

/**
 * Finds the first piece for a shard with an id above `after`. If there is none, finds the first held piece instead,
 * because a held piece may have rows for any shard.
 */
export function findFirstAfter(db: Db, { shard, kind }: Stream, after: number): Waiting | undefined {
  const find = (one: number): Waiting | undefined => db.one(FIRST_AFTER, one, kind, after);
  return find(shard) ?? find(HELD);
}

const FIRST_AFTER = 'SELECT id, at, seq FROM piece WHERE shard = ? AND kind = ? AND id > ? ORDER BY id LIMIT 1';

type HeldPiece = Waiting & { kind: string; lines: string };

/** Lists the first held pieces, at most `most` of them. */
export const listHeld = (db: Db, most: number): HeldPiece[] =>
  db.all('SELECT id, kind, at, seq, lines FROM piece WHERE shard = ? ORDER BY id LIMIT ?', HELD, most);

export const hasHeld = (db: Db): boolean => db.one('SELECT 1 FROM piece WHERE shard = ? LIMIT 1', HELD) !== undefined;

export const removePiece = (db: Db, id: number): void => {
  db.run('DELETE FROM piece WHERE id = ?', id);
};

/**
 * The outbox sends rows with the number `seq` and higher to a filling server. The fill with the number `fill` copies
 * earlier rows from a replica.
 */
type Cut = { fill: number; seq: number };

export const findCut = (db: Db, { shard, replica, kind }: Receiver): Cut | undefined =>
  db.one('SELECT fill, seq FROM cut WHERE shard = ? AND replica = ? AND kind = ?', shard, replica, kind);

export const setCut = (db: Db, { shard, replica, kind }: Receiver, { fill, seq }: Cut): void => {
  db.run('REPLACE INTO cut (shard, replica, kind, fill, seq) VALUES (?, ?, ?, ?, ?)', shard, replica, kind, fill, seq);
};
