// An outbox is an SQLite file with hits that wait to be sent to a cluster. The primary has an outbox. Each collector
// has one too, which also stores the settings from the primary. This file opens an outbox.
//
// Invariant: a hit is stored in the outbox before its client gets 202. Only one process at a time has an outbox open.
//
// Example: a collector starts with `--outbox hits.outbox`. If the file is new, the file gets all tables and a random
// name. The other files outbox-*.ts of this folder read and write its tables.

import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type Db, makeDb } from '../db.ts';
import { explainErrors } from '../file/explain-errors.ts';
import { takeLock } from '../file/lock.ts';
import { assertPlace } from '../file/place.ts';
import { configure } from '../file/pragmas.ts';

/**
 * The number that marks a file as an outbox. SQLite stores the number in the header of the file. Its bytes are the text
 * "dybo".
 */
const OUTBOX_ID = 0x6479626f;
/** The number of outbox files from before the first release, which are refused. Its bytes are the text "dayo". */
const UNRELEASED_ID = 0x6461796f;

/** The version of the outbox files that this program writes and reads. */
const OUTBOX_VERSION = 1;

/**
 * Some tables of an outbox:
 *
 * * `piece`: rows of one kind for one shard, all received at `at` or later and numbered `seq` or higher. The shard -1
 *   has rows that are held, because the shards of their day are not decided yet.
 * * `receipt` (not the signed record of a day): a replica has all pieces of one kind up to `done`. Pieces up to
 *   `sending` are being sent to the replica now.
 * * `word`: the different texts of each site and day. These texts are counted, because above a limit new texts become
 *   `(other)`.
 * * `cut`: a filling server gets rows from number `seq` on from this outbox. The fill with the number `fill` copies
 *   older rows from a replica.
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
CREATE TABLE installation (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL) STRICT;
CREATE TABLE division (day INTEGER PRIMARY KEY, shards INTEGER NOT NULL) STRICT;
CREATE TABLE cut (shard INTEGER NOT NULL, replica INTEGER NOT NULL, kind TEXT NOT NULL, fill INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (shard, replica, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE site (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, domain TEXT NOT NULL UNIQUE, track_crawlers INTEGER NOT NULL, private_paths TEXT NOT NULL,
  page_parameters TEXT NOT NULL, dimensions_off TEXT NOT NULL, places INTEGER NOT NULL, track_vitals INTEGER NOT NULL,
  currency TEXT NOT NULL, time_zone TEXT NOT NULL) STRICT;
CREATE TABLE zone_change (site_id INTEGER NOT NULL, at INTEGER NOT NULL, day INTEGER NOT NULL, time_zone TEXT NOT NULL,
  PRIMARY KEY (site_id, at)) STRICT, WITHOUT ROWID;
CREATE TABLE block (id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL) STRICT;
CREATE TABLE block_key (one INTEGER PRIMARY KEY CHECK (one = 1), key TEXT NOT NULL) STRICT;
CREATE TABLE former_domain (domain TEXT PRIMARY KEY, site_id INTEGER NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE collect_token (id INTEGER NOT NULL, account_id INTEGER NOT NULL, hash TEXT NOT NULL, sites TEXT NOT NULL,
  PRIMARY KEY (id, account_id)) STRICT, WITHOUT ROWID;
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
 * Opens an outbox. A new outbox gets `name`. Each insert that is sent from the outbox has a token that begins with this
 * name. So ClickHouse never takes an insert of one outbox for an insert of another.
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
