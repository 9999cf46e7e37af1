import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../lib/errors.ts';
import { assertPlace, explained, lock } from './open.ts';
import { configure } from './pragmas.ts';
import { type Db, statements } from './statements.ts';

/** "dayo", in the header of each outbox. */
const OUTBOX_ID = 0x6461796f;

/**
 * What waits to be sent to a cluster. A piece has lines of one table for one shard. A replica has received all pieces up to `done`,
 * and those up to `sending` are on their way; they are sent again, unchanged, until it is known that they came. `word` has the
 * texts of days, which have caps.
 */
const SCHEMA = `
CREATE TABLE sender (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;
CREATE TABLE piece (id INTEGER PRIMARY KEY AUTOINCREMENT, shard INTEGER NOT NULL, kind TEXT NOT NULL, lines TEXT NOT NULL) STRICT;
CREATE INDEX piece_shard_kind ON piece (shard, kind, id);
CREATE TABLE receipt (shard INTEGER NOT NULL, replica INTEGER NOT NULL, kind TEXT NOT NULL, done INTEGER NOT NULL, sending INTEGER,
  PRIMARY KEY (shard, replica, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE word (site_id INTEGER NOT NULL, day INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (site_id, day, kind, text)) STRICT, WITHOUT ROWID;
`;

export type Outbox = { db: Db; path: string; close(): void };

/** Opens an outbox; `name` is that of a new one, under which all it ever sends is known. */
export function openOutbox(file: string, name: string): Outbox {
  return explained(resolve(file), () => {
    assertPlace(resolve(file));
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const path = realpathSync(file);
    const own = lock(path, 'another collector is running on it; stop that one or choose another --outbox');
    const writer = new Database(path);
    try {
      configure(writer);
      const make = writer.transaction(() => {
        const id = writer.pragma('application_id', { simple: true });
        const tables = writer.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
        if (id === OUTBOX_ID) return;
        if (id !== 0 || tables !== 0) throw new Refusal(`${path}: this is not an outbox; name another file`, UNUSABLE);
        writer.exec(SCHEMA);
        writer.pragma(`application_id = ${OUTBOX_ID}`);
        writer.prepare('INSERT INTO sender (one, name, seq) VALUES (1, ?, 0)').run(name);
      });
      make.immediate();
    } catch (error) {
      writer.close();
      own.close();
      throw error;
    }
    const db = statements(writer);
    return {
      db,
      path,
      close() {
        db.close();
        own.close();
      },
    };
  });
}

export type Sender = { name: string; seq: number };

export const findSender = (db: Db): Sender => db.one('SELECT name, seq FROM sender') ?? { name: '', seq: 0 };

/** Rows up to this number have been used. */
export const setSequence = (db: Db, seq: number): void => {
  db.run('UPDATE sender SET seq = ?', seq);
};

type Stream = { shard: number; kind: string };

export const addPiece = (db: Db, { shard, kind }: Stream, lines: string): number =>
  db.run('INSERT INTO piece (shard, kind, lines) VALUES (?, ?, ?)', shard, kind, lines).id;

export const lastPiece = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'piece'")?.id ?? 0;

/** What a replica has of a stream, and which pieces are on their way to it. */
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

/** The last of the next pieces of a stream after one, which together have at most so many bytes, but are at least one. */
export function lastToSend(db: Db, { shard, kind }: Stream, after: number, most: number): number | undefined {
  const sql = `SELECT max(id) AS id FROM (
      SELECT id, sum(length(lines)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS n FROM (
        SELECT id, lines FROM piece WHERE shard = ? AND kind = ? AND id > ? ORDER BY id LIMIT 1000)
    ) WHERE bytes <= ? OR n = 1`;
  return db.one<{ id: number | null }>(sql, shard, kind, after, most)?.id ?? undefined;
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

/** Removes the pieces that all of so many replicas have. */
export function removeReceived(db: Db, { shard, kind }: Stream, replicas: number): void {
  const sql = `DELETE FROM piece WHERE shard = ? AND kind = ? AND id <= (
    SELECT CASE WHEN count(*) = ? THEN min(done) ELSE 0 END FROM receipt WHERE shard = ? AND kind = ?)`;
  db.run(sql, shard, kind, replicas, shard, kind);
}

/** The first piece that a shard still lacks in one of its replicas; undefined when there is none. */
export const firstWaiting = (db: Db): number | undefined =>
  db.one<{ id: number | null }>('SELECT min(id) AS id FROM piece')?.id ?? undefined;

type Kind = { siteId: number; day: number; kind: string };

export const listWords = (db: Db, { siteId, day, kind }: Kind): string[] =>
  db
    .all<{ text: string }>('SELECT text FROM word WHERE site_id = ? AND day = ? AND kind = ?', siteId, day, kind)
    .map(({ text }) => text);

export const addWord = (db: Db, { siteId, day, kind }: Kind, text: string): void => {
  db.run('INSERT OR IGNORE INTO word (site_id, day, kind, text) VALUES (?, ?, ?, ?)', siteId, day, kind, text);
};

export const removeWordsBefore = (db: Db, day: number): void => {
  db.run('DELETE FROM word WHERE day < ?', day);
};
