// Stores the blobs of sealed days and shards: packed columns and rollups. This file has all SQL for their four tables.
// The rollups of months have a table of their own (sealed/month.ts).
//
// Invariant: no answer uses a blob with a wrong checksum, because a wrong figure is worse than none.
//
// Example: a sealed day has a blob for each column, such as `page`, and for each rollup, such as `pages`. A transaction
// writes about 512 KB, so a day of 2 MB needs four transactions. Sealing, imports, compaction, queries, recounts and
// the sweep call this file.
import { crc32 } from 'node:zlib';
import type { Steps } from '../../lib/steps.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { findSiteDomain } from '../../store/sites/domains.ts';

export type StoredBlob = { name: string; data: Uint8Array };

/**
 * Each table that stores blobs, with the table of their owners. For example, a blob in `open_blob` belongs to a shard
 * in `open_shard`.
 */
const OWNERS = {
  sealed_blob: 'sealed_day',
  rollup: 'sealed_day',
  excluded_rollup: 'sealed_day',
  open_blob: 'open_shard',
} as const;
type AnyTable = keyof typeof OWNERS;
export type BlobTable = Exclude<AnyTable, 'open_blob'>;

/** Reads a blob. Throws if the checksum is wrong, because a wrong figure is worse than none. */
export function findBlob(db: Db, table: AnyTable, id: number, name: string): Buffer | undefined {
  const row = db.one<BlobRow>(
    `SELECT name, data, crc FROM ${table} WHERE ${OWNERS[table]}_id = ? AND name = ?`,
    id,
    name,
  );
  if (row && crc32(row.data) !== row.crc)
    throw new Error(`${describeBlob(db, table, id, name)} is damaged, its checksum has changed. Run daybook check`);
  return row?.data;
}

/**
 * Returns the table that stores a day's rollups. Reduced rollups, which leave out excluded visits, are in the table
 * `excluded_rollup`.
 */
export const rollupTable = (isReduced: boolean): BlobTable => (isReduced ? 'excluded_rollup' : 'rollup');

type BlobRow = { name: string; data: Buffer; crc: number };

const TABLES: readonly BlobTable[] = ['sealed_blob', 'rollup', 'excluded_rollup'];

/**
 * Writes the SQL that adds a blob. The SQL adds nothing if the blob's day or shard was deleted meanwhile. Otherwise,
 * the blob would stay in the file forever.
 */
const insertInto = (table: AnyTable): string =>
  `INSERT OR IGNORE INTO ${table} (${OWNERS[table]}_id, name, data, crc) SELECT id, ?, ?, ? FROM ${OWNERS[table]} WHERE id = ?`;

export function addBlob(db: Db, table: AnyTable, id: number, { name, data }: StoredBlob): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  db.run(insertInto(table), name, bytes, crc32(data), id);
}

/**
 * A transaction writes or deletes about this many bytes. Arriving hits wait until the transaction ends. With this size,
 * they wait only a few milliseconds.
 */
const BYTES_PER_TRANSACTION = 512 * 1024;

/** Runs writes in transactions of about 512 KB, so that hits can be stored between two transactions. */
export function* writeInSteps(db: Db, writes: Iterable<{ bytes: number; write(): void }>): Steps {
  let waiting: (() => void)[] = [];
  let sum = 0;
  const commit = (): void => {
    db.write(() => {
      for (const write of waiting) write();
    });
    waiting = [];
    sum = 0;
  };
  for (const { bytes, write } of writes) {
    waiting.push(write);
    sum += bytes;
    if (sum < BYTES_PER_TRANSACTION) continue;
    commit();
    yield;
  }
  if (waiting.length === 0) return;
  commit();
  yield;
}

/** Names a blob with its site and day, as `daybook check` does. */
function describeBlob(db: Db, table: AnyTable, id: number, name: string): string {
  const owner = db.one<SiteDay>(`SELECT site_id AS siteId, day FROM ${OWNERS[table]} WHERE id = ?`, id);
  if (!owner) return `${OWNERS[table]} ${id}: ${table} ${name}`;
  const site = findSiteDomain(db, owner.siteId) ?? `site ${owner.siteId}`;
  return `${site} ${formatDay(owner.day * DAY)}: ${table} ${name}`;
}

type SiteDay = { siteId: number; day: number };

export const makeMissingError = (db: Db, table: AnyTable, id: number, name: string): Error =>
  new Error(`${describeBlob(db, table, id, name)} is missing. Run daybook check`);

/**
 * Reads all blobs that a sealed day has in one table, for a recount. A wrong checksum does not throw here, because the
 * recount reports all damaged blobs of the day. `damaged` has the names of these blobs.
 */
export function listBlobs(db: Db, table: BlobTable, dayId: number): { blobs: Map<string, Buffer>; damaged: string[] } {
  const rows = db.all<BlobRow>(`SELECT name, data, crc FROM ${table} WHERE sealed_day_id = ?`, dayId);
  return {
    blobs: new Map(rows.map(({ name, data }) => [name, data])),
    damaged: rows.filter(({ data, crc }) => crc32(data) !== crc).map(({ name }) => name),
  };
}

export const listBlobNames = (db: Db, table: BlobTable, dayId: number): string[] =>
  db.all<{ name: string }>(`SELECT name FROM ${table} WHERE sealed_day_id = ?`, dayId).map(({ name }) => name);

/**
 * Lists the names of blobs that begin with `prefix`, sorted. `prefix` must end with a space. In the order of texts, `!`
 * comes right after the space. So all names with the prefix come before the prefix with `!` in place of its space.
 */
export const listBlobNamesFrom = (db: Db, table: BlobTable, dayId: number, prefix: string): string[] =>
  db
    .all<{ name: string }>(
      `SELECT name FROM ${table} WHERE sealed_day_id = ? AND name >= ? AND name < ? ORDER BY name`,
      dayId,
      prefix,
      `${prefix.slice(0, -1)}!`,
    )
    .map(({ name }) => name);

export const removeBlob = (db: Db, table: BlobTable, dayId: number, name: string): void => {
  db.run(`DELETE FROM ${table} WHERE sealed_day_id = ? AND name = ?`, dayId, name);
};

/**
 * Deletes one blob of a day or shard. Returns the size of the deleted blob in bytes, so that the caller can keep its
 * transaction short. Returns undefined if there was no blob to delete.
 */
export function removeOneBlob(db: Db, table: AnyTable, id: number): number | undefined {
  const first = `SELECT rowid AS id, length(data) AS bytes FROM ${table} WHERE ${OWNERS[table]}_id = ? ORDER BY name LIMIT 1`;
  const blob = db.one<{ id: number; bytes: number }>(first, id);
  if (blob) db.run(`DELETE FROM ${table} WHERE rowid = ?`, blob.id);
  return blob?.bytes;
}

/** Deletes about 512 KB of a sealed day's blobs, so that the transaction is short. Returns true if no blob is left. */
export function removeBlobs(db: Db, dayId: number): boolean {
  let sum = 0;
  for (const table of TABLES) {
    for (let bytes = removeOneBlob(db, table, dayId); bytes !== undefined; bytes = removeOneBlob(db, table, dayId)) {
      sum += bytes;
      if (sum >= BYTES_PER_TRANSACTION) return false;
    }
  }
  return true;
}

const AMONG = 'sealed_day_id IN (SELECT value FROM json_each(?))';

export function sumBytes(db: Db, dayIds: readonly number[], tables: readonly BlobTable[] = TABLES): number {
  const sumIn = (table: BlobTable) =>
    db.one<{ bytes: number }>(
      `SELECT coalesce(sum(length(data)), 0) AS bytes FROM ${table} WHERE ${AMONG}`,
      JSON.stringify(dayIds),
    )?.bytes ?? 0;
  return tables.reduce((bytes, table) => bytes + sumIn(table), 0);
}

/**
 * Lists those of the given days that have columns. Totals-only days have no columns, so they cannot answer queries with
 * filters.
 */
export const listWithColumns = (db: Db, dayIds: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `SELECT DISTINCT sealed_day_id AS id FROM sealed_blob WHERE ${AMONG} ORDER BY sealed_day_id`,
      JSON.stringify(dayIds),
    )
    .map(({ id }) => id);
