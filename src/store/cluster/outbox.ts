// An outbox is an SQLite file with hits that wait to be sent to a cluster. The hits wait in pieces. A piece has rows of
// one kind for one shard. The primary has an outbox. Each collector has one too, which also stores the settings from
// the primary.
//
// Invariant: a hit is stored in the outbox before its client gets 202. A piece is deleted only when each replica of its
// shard has received it. A `lacking` replica does not count, because it gets a copy of all missing rows later. A piece
// that may have arrived is sent again unchanged, so that the replica recognizes the repetition.
//
// Example: pieces 7, 8 and 9 wait for shard 1. Replica 1 has received all three. Replica 2 has received piece 7, and
// piece 8 is being sent. So the receipt of replica 2 is `{ done: 7, sending: 8 }`, and only piece 7 can be deleted.
// src/cluster/outbox writes and sends pieces, and src/collectors stores the settings.

import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type Db, makeDb } from '../db.ts';
import { explainErrors } from '../file/explain-errors.ts';
import { takeLock } from '../file/lock.ts';
import { assertPlace } from '../file/place.ts';
import { configure } from '../file/pragmas.ts';
import type { TakenHits } from './collectors.ts';

/**
 * The number that marks a file as an outbox. SQLite stores the number in the header of the file. Its bytes are the text
 * "dybo".
 */
const OUTBOX_ID = 0x6479626f;
/** The number of outbox files from before the first release. Its bytes are the text "dayo". */
const UNRELEASED_ID = 0x6461796f;

/** The version of the outbox files that this program writes and reads. */
const OUTBOX_VERSION = 1;

/**
 * Some tables of an outbox:
 *
 * * `piece`: rows of one kind for one shard, all received at `at` or later and numbered `seq` or higher.
 * * `receipt`: a replica has all pieces up to `done`, and gets pieces up to `sending` now.
 * * `word`: the different texts of each site and day. They are counted, because above a limit new texts become
 *   `(other)`.
 * * `cut`: a filling server gets rows from number `seq` on from this outbox. Older rows come from a replica, with the
 *   fill number `fill`.
 * * `taken`: the hits that this collector received, by site and month. The primary has counted `told` of them.
 * * `salt`: `own` is 1 for a salt that this collector made.
 */
const SCHEMA = `
CREATE TABLE sender (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL, seq INTEGER NOT NULL,
  number INTEGER NOT NULL DEFAULT 0, engine TEXT NOT NULL DEFAULT '', tag TEXT NOT NULL DEFAULT '',
  skew INTEGER NOT NULL DEFAULT 0, known_at INTEGER NOT NULL DEFAULT 0, parcels INTEGER NOT NULL DEFAULT 0) STRICT;
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

export type Outbox = { db: Db; path: string; close(): void };

/**
 * Opens an outbox. A new outbox gets `name`. The cluster stores this name with all rows from the outbox, so that rows
 * of two outboxes are not confused.
 */
export function openOutbox(file: string, name: string): Outbox {
  return explainErrors(resolve(file), () => {
    assertPlace(resolve(file));
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const path = realpathSync(file);
    const own = takeLock(path, 'another collector is running on it. Stop that one, or choose another --outbox');
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
    const db = makeDb(writer);
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

function prepare(writer: Database.Database, path: string, name: string): void {
  const id = writer.pragma('application_id', { simple: true });
  const tables = writer.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  const version = writer.pragma('user_version', { simple: true }) as number;
  if (id === UNRELEASED_ID)
    throw new Refusal(
      `${path}: a daybook from before the first release wrote this outbox. Let that program send its hits, then name another file`,
      UNUSABLE,
    );
  if (id !== OUTBOX_ID && (id !== 0 || tables !== 0))
    throw new Refusal(`${path}: this is not an outbox. Name another file`, UNUSABLE);
  if (id === OUTBOX_ID && version > OUTBOX_VERSION)
    throw new Refusal(`${path}: a newer daybook wrote this outbox. Update the program`, UNUSABLE);
  if (id === OUTBOX_ID) return;
  writer.exec(SCHEMA);
  writer.pragma(`application_id = ${OUTBOX_ID}`);
  writer.pragma(`user_version = ${OUTBOX_VERSION}`);
  writer.prepare('INSERT INTO sender (one, name, seq) VALUES (1, ?, 0)').run(name);
}

/**
 * What an outbox knows of its collector. The primary gave it `number`, and the URL `engine` of the cluster. `tag` is a
 * hash of the settings that the primary sent last. `seq` is the last used row number.
 */
type Sender = { name: string; seq: number; number: number; engine: string; tag: string };

export const findSender = (db: Db): Sender =>
  db.one('SELECT name, seq, number, engine, tag FROM sender') ?? { name: '', seq: 0, number: 0, engine: '', tag: '' };

/** Stores the settings that the primary has sent to this collector. */
export const changeSender = (db: Db, { number, engine, tag }: Omit<Sender, 'name' | 'seq'>): void => {
  db.run('UPDATE sender SET number = ?, engine = ?, tag = ?', number, engine, tag);
};

/**
 * `skew` is how far the primary's clock is ahead of this machine's clock. `knownAt` is when that was measured, or 0
 * before the first measurement. Both are in milliseconds.
 */
export type Time = { skew: number; knownAt: number };

export const findTime = (db: Db): Time =>
  db.one<Time>('SELECT skew, known_at AS knownAt FROM sender') ?? { skew: 0, knownAt: 0 };

export const setTime = (db: Db, { skew, knownAt }: Time): void => {
  db.write(() => db.run('UPDATE sender SET skew = ?, known_at = ?', skew, knownAt));
};

/**
 * Gives how many parcels this outbox has ever delivered. A smaller number than before shows that an older copy of the
 * outbox file was put back.
 */
export const countParcels = (db: Db): number => db.one<{ parcels: number }>('SELECT parcels FROM sender')?.parcels ?? 0;

/** Counts one more delivered parcel. The number later shows whether an older copy of the outbox file was put back. */
export const addParcel = (db: Db): void => {
  db.run('UPDATE sender SET parcels = parcels + 1');
};

/** Stores that all row numbers up to `seq` are used. After a restart, new rows get only higher numbers. */
export const setSequence = (db: Db, seq: number): void => {
  db.run('UPDATE sender SET seq = ?', seq);
};

type Stream = { shard: number; kind: string };

/** All rows of a piece were received at `at` or later, and have the number `seq` or a higher one. */
type Since = { at: number; seq: number };

export const addPiece = (db: Db, { shard, kind }: Stream, { at, seq }: Since, lines: string): number =>
  db.run('INSERT INTO piece (shard, kind, at, seq, lines) VALUES (?, ?, ?, ?, ?)', shard, kind, at, seq, lines).id;

export const findLastPiece = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'piece'")?.id ?? 0;

/**
 * Which pieces of one kind a replica has. `done` is the id of the last piece that the replica has received. `sending`
 * is the id of the last piece of the request that is under way.
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
 * Finds the last piece that goes into the next request to a replica. The request has pieces after `after` and up to
 * `end`, with at most `most` bytes together. The first piece is sent even if it alone is larger.
 */
export function findLastToSend(
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

/** Finds the last piece that all of these replicas have received. Gives 0 if the list is empty. */
export const findLeastDone = (db: Db, { shard, kind }: Stream, replicas: readonly number[]): number =>
  replicas.length === 0 ? 0 : Math.min(...replicas.map((replica) => findReceipt(db, { shard, kind, replica }).done));

/**
 * Deletes the oldest pieces that all of these replicas have received, at most `most` bytes in one call. Gives false if
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
 * Deletes pieces whose first row number is `seq` or lower, because all complete servers have received their rows.
 * Deletes at most 100 pieces in one call. Gives false if there was none.
 */
export const removeDelivered = (db: Db, seq: number): boolean =>
  db.run('DELETE FROM piece WHERE id IN (SELECT id FROM piece WHERE seq <= ? LIMIT 100)', seq).changes > 0;

type Waiting = Since & { id: number };

export const findFirstWaiting = (db: Db): Waiting | undefined =>
  db.one('SELECT id, at, seq FROM piece ORDER BY id LIMIT 1');

export const findFirstAfter = (db: Db, { shard, kind }: Stream, after: number): Waiting | undefined =>
  db.one(
    'SELECT id, at, seq FROM piece WHERE shard = ? AND kind = ? AND id > ? ORDER BY id LIMIT 1',
    shard,
    kind,
    after,
  );

/**
 * This outbox sends rows with the number `seq` and higher to a filling server. Earlier rows come with the fill number
 * `fill`, from a replica.
 */
type Cut = { fill: number; seq: number };

export const findCut = (db: Db, { shard, replica, kind }: Receiver): Cut | undefined =>
  db.one('SELECT fill, seq FROM cut WHERE shard = ? AND replica = ? AND kind = ?', shard, replica, kind);

export const setCut = (db: Db, { shard, replica, kind }: Receiver, { fill, seq }: Cut): void => {
  db.run('REPLACE INTO cut (shard, replica, kind, fill, seq) VALUES (?, ?, ?, ?, ?)', shard, replica, kind, fill, seq);
};

type TermKind = { siteId: number; day: number; kind: string };

export const listWords = (db: Db, { siteId, day, kind }: TermKind): string[] =>
  db
    .all<{ text: string }>('SELECT text FROM word WHERE site_id = ? AND day = ? AND kind = ?', siteId, day, kind)
    .map(({ text }) => text);

export const addWord = (db: Db, { siteId, day, kind }: TermKind, text: string): void => {
  db.run('INSERT OR IGNORE INTO word (site_id, day, kind, text) VALUES (?, ?, ?, ?)', siteId, day, kind, text);
};

export const removeWordsBefore = (db: Db, day: number): void => {
  db.run('DELETE FROM word WHERE day < ?', day);
};

/**
 * Adds to the number of hits that this collector received for a site in a month. The collector reports this number to
 * the primary later.
 */
export const addTaken = (db: Db, { siteId, month, hits }: TakenHits): void => {
  const sql = `INSERT INTO taken (site_id, month, hits) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`;
  db.run(sql, siteId, month, hits);
};

/** Lists monthly numbers of hits that have grown since the last report to the primary. Gives at most `most` of them. */
export const listUntold = (db: Db, most: number): TakenHits[] =>
  db.all('SELECT site_id AS siteId, month, hits FROM taken WHERE hits > told ORDER BY month, site_id LIMIT ?', most);

/**
 * Forgets the settings from the primary. At its next start, this collector must ask for new settings before it accepts
 * hits.
 */
export const forgetPrimary = (db: Db): void => {
  db.write(() => db.run("UPDATE sender SET engine = '', tag = ''"));
};

/** Stores how many hits of each site and month the primary has counted. Later reports leave these numbers out. */
export function noteTold(db: Db, taken: readonly TakenHits[]): void {
  for (const { siteId, month, hits } of taken)
    db.run('UPDATE taken SET told = ? WHERE site_id = ? AND month = ?', hits, siteId, month);
}

export const removeTakenBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM taken WHERE month < ? AND told = hits', month);
};
