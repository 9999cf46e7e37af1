import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type Db, statements } from '../db.ts';
import { assertPlace, explained, lock } from '../file/open-file.ts';
import { configure } from '../file/pragmas.ts';
import type { Taken } from './collectors.ts';

/** "dybo", in the header of each outbox. */
const OUTBOX_ID = 0x6479626f;
/** "dayo", which outboxes had before the first release. */
const UNRELEASED_ID = 0x6461796f;

/** What this program makes and reads. */
const OUTBOX_VERSION = 1;

/**
 * What waits to be sent to a cluster. A piece has lines of one table for one shard; none of its rows came before `at`, nor has a lower
 * number than `seq`. A replica has received all pieces up to `done`, and those up to `sending` are on their way; they are sent
 * again, unchanged, until it is known that they came. `word` has the texts of days, which have caps. `cut` says which rows of a
 * stream go to a server that is being filled: those from `seq` on, in the copy with the number `fill`.
 *
 * The tables from `cluster_server` on, but `cut`, are those of a collector, which knows of the primary's file what it needs: they are as in
 * schema.sql, without what it does not read. `taken` counts what it took for the plans of the accounts, and what the primary knows
 * of that. A salt is its `own` until the primary has told one of that day. `skew` is how many milliseconds the primary's clock was
 * ahead of that of the machine, and `known_at` the primary's time when that was known last.
 */
const SCHEMA = `
CREATE TABLE sender (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL, seq INTEGER NOT NULL,
  number INTEGER NOT NULL DEFAULT 0, engine TEXT NOT NULL DEFAULT '', tag TEXT NOT NULL DEFAULT '',
  skew INTEGER NOT NULL DEFAULT 0, known_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE piece (id INTEGER PRIMARY KEY AUTOINCREMENT, shard INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
  seq INTEGER NOT NULL, lines TEXT NOT NULL) STRICT;
CREATE INDEX piece_shard_kind ON piece (shard, kind, id);
CREATE TABLE receipt (shard INTEGER NOT NULL, replica INTEGER NOT NULL, kind TEXT NOT NULL, done INTEGER NOT NULL, sending INTEGER,
  PRIMARY KEY (shard, replica, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE word (site_id INTEGER NOT NULL, day INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (site_id, day, kind, text)) STRICT, WITHOUT ROWID;
CREATE TABLE cluster_server (url TEXT PRIMARY KEY, shard INTEGER NOT NULL, replica INTEGER NOT NULL,
  state TEXT NOT NULL, fill INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE cut (shard INTEGER NOT NULL, replica INTEGER NOT NULL, kind TEXT NOT NULL, fill INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (shard, replica, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE site (id INTEGER PRIMARY KEY, domain TEXT NOT NULL UNIQUE, track_crawlers INTEGER NOT NULL, private_paths TEXT NOT NULL,
  time_zone TEXT NOT NULL) STRICT;
CREATE TABLE zone_change (site_id INTEGER NOT NULL, at INTEGER NOT NULL, day INTEGER NOT NULL, time_zone TEXT NOT NULL,
  PRIMARY KEY (site_id, at)) STRICT, WITHOUT ROWID;
CREATE TABLE former_domain (domain TEXT PRIMARY KEY, site_id INTEGER NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE salt (site_id INTEGER NOT NULL, day INTEGER NOT NULL, bytes BLOB NOT NULL, own INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (site_id, day)) STRICT, WITHOUT ROWID;
CREATE INDEX salt_own ON salt (own) WHERE own = 1;
CREATE TABLE trusted_day (one INTEGER PRIMARY KEY CHECK (one = 1), day INTEGER NOT NULL) STRICT;
CREATE TABLE upkeep (name TEXT PRIMARY KEY, at INTEGER NOT NULL, fine INTEGER NOT NULL, words TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE outage (id INTEGER PRIMARY KEY AUTOINCREMENT, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
CREATE TABLE taken (site_id INTEGER NOT NULL, month TEXT NOT NULL, hits INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (site_id, month)) STRICT, WITHOUT ROWID;
`;

/** Makes the tables of a new file. */
function prepare(writer: Database.Database, path: string, name: string): void {
  const id = writer.pragma('application_id', { simple: true });
  const tables = writer.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  const version = writer.pragma('user_version', { simple: true }) as number;
  if (id === UNRELEASED_ID)
    throw new Refusal(
      `${path}: a daybook from before the first release wrote this outbox; let that program send what waits, then name another file`,
      UNUSABLE,
    );
  if (id !== OUTBOX_ID && (id !== 0 || tables !== 0))
    throw new Refusal(`${path}: this is not an outbox; name another file`, UNUSABLE);
  if (id === OUTBOX_ID && version > OUTBOX_VERSION)
    throw new Refusal(`${path}: a newer version of daybook wrote this outbox; use that`, UNUSABLE);
  if (id === OUTBOX_ID) return;
  writer.exec(SCHEMA);
  writer.pragma(`application_id = ${OUTBOX_ID}`);
  writer.pragma(`user_version = ${OUTBOX_VERSION}`);
  writer.prepare('INSERT INTO sender (one, name, seq) VALUES (1, ?, 0)').run(name);
}

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
      const make = writer.transaction(() => prepare(writer, path, name));
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

/** Whose outbox it is. `number` and `engine` are what the primary said to a collector, and `tag` stands for all that it said. */
type Sender = { name: string; seq: number; number: number; engine: string; tag: string };

export const findSender = (db: Db): Sender =>
  db.one('SELECT name, seq, number, engine, tag FROM sender') ?? { name: '', seq: 0, number: 0, engine: '', tag: '' };

/** Notes what the primary said. Call it inside a transaction. */
export const changeSender = (db: Db, { number, engine, tag }: Omit<Sender, 'name' | 'seq'>): void => {
  db.run('UPDATE sender SET number = ?, engine = ?, tag = ?', number, engine, tag);
};

/** By how many milliseconds the primary's clock is ahead, and the time when that was known last, in milliseconds too; 0 if never. */
export type Time = { skew: number; knownAt: number };

export const findTime = (db: Db): Time =>
  db.one<Time>('SELECT skew, known_at AS knownAt FROM sender') ?? { skew: 0, knownAt: 0 };

export const setTime = (db: Db, { skew, knownAt }: Time): void => {
  db.write(() => db.run('UPDATE sender SET skew = ?, known_at = ?', skew, knownAt));
};

/** Rows up to this number have been used. */
export const setSequence = (db: Db, seq: number): void => {
  db.run('UPDATE sender SET seq = ?', seq);
};

type Stream = { shard: number; kind: string };

/** From when on, and from which number on, the rows of a piece came. */
type Since = { at: number; seq: number };

export const addPiece = (db: Db, { shard, kind }: Stream, { at, seq }: Since, lines: string): number =>
  db.run('INSERT INTO piece (shard, kind, at, seq, lines) VALUES (?, ?, ?, ?, ?)', shard, kind, at, seq, lines).id;

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

/** The last of the next pieces of a stream, of those after one and up to another, which together have at most so many bytes, but are at least one. */
export function lastToSend(
  db: Db,
  { shard, kind }: Stream,
  { after, end }: { after: number; end: number },
  most: number,
): number | undefined {
  const sql = `SELECT max(id) AS id FROM (
      SELECT id, sum(length(lines)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS n FROM (
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

/** Up to which piece all of some replicas have a stream; 0 where there are none. */
export const leastDone = (db: Db, { shard, kind }: Stream, replicas: readonly number[]): number =>
  replicas.length === 0 ? 0 : Math.min(...replicas.map((replica) => findReceipt(db, { shard, kind, replica }).done));

/** Removes the first of the pieces that all of some replicas have, at most so many bytes together. False if there are none. */
export function removeReceived(db: Db, stream: Stream, replicas: readonly number[], most: number): boolean {
  const end = leastDone(db, stream, replicas);
  const last = end === 0 ? undefined : lastToSend(db, stream, { after: 0, end }, most);
  if (last === undefined) return false;
  db.run('DELETE FROM piece WHERE shard = ? AND kind = ? AND id <= ?', stream.shard, stream.kind, last);
  return true;
}

/** A piece that waits, and since when. */
type Waiting = Since & { id: number };

/** The first piece that a shard still lacks in one of its replicas; undefined when there is none. */
export const firstWaiting = (db: Db): Waiting | undefined =>
  db.one('SELECT id, at, seq FROM piece ORDER BY id LIMIT 1');

/** The first piece of a stream after one. */
export const firstAfter = (db: Db, { shard, kind }: Stream, after: number): Waiting | undefined =>
  db.one(
    'SELECT id, at, seq FROM piece WHERE shard = ? AND kind = ? AND id > ? ORDER BY id LIMIT 1',
    shard,
    kind,
    after,
  );

/** The copy with this number has the rows of a stream below `seq`; the others are sent. */
type Cut = { fill: number; seq: number };

export const findCut = (db: Db, { shard, replica, kind }: Receiver): Cut | undefined =>
  db.one('SELECT fill, seq FROM cut WHERE shard = ? AND replica = ? AND kind = ?', shard, replica, kind);

/** Call it inside a transaction. */
export const setCut = (db: Db, { shard, replica, kind }: Receiver, { fill, seq }: Cut): void => {
  db.run('REPLACE INTO cut (shard, replica, kind, fill, seq) VALUES (?, ?, ?, ?, ?)', shard, replica, kind, fill, seq);
};

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

/** Counts hits that were taken. Call it inside a transaction. */
export const addTaken = (db: Db, { siteId, month, hits }: Taken): void => {
  const sql = `INSERT INTO taken (site_id, month, hits) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`;
  db.run(sql, siteId, month, hits);
};

/** How many hits were ever taken, by site and month, where the primary does not know it; so many at most. */
export const listUntold = (db: Db, most: number): Taken[] =>
  db.all('SELECT site_id AS siteId, month, hits FROM taken WHERE hits > told ORDER BY month, site_id LIMIT ?', most);

/** Forgets where the cluster is and what the primary said, so that a start asks for it first. */
export const forgetPrimary = (db: Db): void => {
  db.write(() => db.run("UPDATE sender SET engine = '', tag = ''"));
};

/** Notes what the primary knows now. Call it inside a transaction. */
export function noteTold(db: Db, taken: readonly Taken[]): void {
  for (const { siteId, month, hits } of taken)
    db.run('UPDATE taken SET told = ? WHERE site_id = ? AND month = ?', hits, siteId, month);
}

export const removeTakenBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM taken WHERE month < ? AND told = hits', month);
};
