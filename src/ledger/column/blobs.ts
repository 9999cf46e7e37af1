// A blob is a packed column or rollup. A column has a value for each visit or hit. A rollup has the counts of each
// value, for example of each page. A blob is a row of a table, with a name, bytes, and the CRC-32 checksum of the
// bytes. This file has all SQL of these tables.
// Invariant: no answer uses a blob with a wrong checksum, because a wrong figure is worse than none.
//
// Example: a day is sealed when its hits are packed for good. A sealed day of 100,000 hits has a blob for each column
// (`page`) and for each rollup (`pages`). A transaction writes about 512 KB, so a day of 2 MB takes four transactions.
//
// Sealing, imports, compaction and exclusions write blobs. Queries and recounts read blobs. Sweeping deletes blobs.
import { crc32 } from 'node:zlib';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';

export type StoredBlob = { name: string; data: Uint8Array };

/**
 * A blob is a packed column or the packed counts of a breakdown. It belongs to a sealed day, or to a shard, a part of
 * an open day. For each table of blobs, this names the table of the days or shards.
 */
const OWNERS = {
  sealed_blob: 'sealed_day',
  rollup: 'sealed_day',
  excluded_rollup: 'sealed_day',
  open_blob: 'open_shard',
} as const;
type AnyTable = keyof typeof OWNERS;
export type BlobTable = Exclude<AnyTable, 'open_blob'>;

/**
 * Reads a blob, for example a packed column. Throws if its checksum shows that bytes have changed on the disk, because
 * a wrong figure is worse than none.
 */
export function findBlob(db: Db, table: AnyTable, id: number, name: string): Buffer | undefined {
  const row = db.one<BlobRow>(
    `SELECT name, data, crc FROM ${table} WHERE ${OWNERS[table]}_id = ? AND name = ?`,
    id,
    name,
  );
  return row && assertSound(row, describeBlob(table, id, name));
}

/**
 * A rollup has the counts of each value, for example of each page. Returns the name of the table with the rollups of a
 * sealed day. Rollups in `excluded_rollup` leave out visits that an exclusion takes out.
 */
export const rollupTable = (isReduced: boolean): BlobTable => (isReduced ? 'excluded_rollup' : 'rollup');

type BlobRow = { name: string; data: Buffer; crc: number };

const TABLES: readonly BlobTable[] = ['sealed_blob', 'rollup', 'excluded_rollup'];

/**
 * Adds a blob (a packed column, for example) to its owner: a day or a part of a day. If the owner was deleted
 * meanwhile, the statement adds nothing. Otherwise the blob would stay in the database file for ever.
 */
const insertInto = (table: AnyTable): string =>
  `INSERT OR IGNORE INTO ${table} (${OWNERS[table]}_id, name, data, crc) SELECT id, ?, ?, ? FROM ${OWNERS[table]} WHERE id = ?`;

export function addBlob(db: Db, table: AnyTable, id: number, { name, data }: StoredBlob): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  db.run(insertInto(table), name, bytes, crc32(data), id);
}

/**
 * A transaction writes about this number of bytes. So other writers, such as the one that stores hits, wait only a few
 * milliseconds.
 */
const BYTES_PER_TRANSACTION = 512 * 1024;

/**
 * Runs writes in short transactions of about 512 KB, so that hits can be stored between two of them. Each write says
 * how many bytes it stores.
 */
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

/**
 * Throws if the checksum shows that bytes have changed, because a wrong figure is worse than none. Computing the
 * checksum takes about 0.2 ms for a megabyte.
 */
function assertSound({ data, crc }: BlobRow, blob: string): Buffer {
  if (crc32(data) !== crc) throw new Error(`${blob} is damaged, its checksum has changed; run daybook check`);
  return data;
}

const describeBlob = (table: AnyTable, id: number, name: string): string =>
  `${table} ${name} of ${OWNERS[table]} ${id}`;

export const makeMissingError = (table: AnyTable, id: number, name: string): Error =>
  new Error(`${describeBlob(table, id, name)} is missing; run daybook check`);

/**
 * Reads all blobs (packed columns or rollups) of a sealed day. `damaged` has the names of blobs whose checksum is
 * wrong. A check of the file names all of them, so this function does not throw.
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

export const removeBlob = (db: Db, table: BlobTable, dayId: number, name: string): void => {
  db.run(`DELETE FROM ${table} WHERE sealed_day_id = ? AND name = ?`, dayId, name);
};

/**
 * Deletes one blob, for example a packed column, of a day or shard. Returns how many bytes were deleted, so that the
 * caller can end a transaction in time. Returns undefined if there was no blob.
 */
export function removeOneBlob(db: Db, table: AnyTable, id: number): number | undefined {
  const first = `SELECT rowid AS id, length(data) AS bytes FROM ${table} WHERE ${OWNERS[table]}_id = ? ORDER BY name LIMIT 1`;
  const blob = db.one<{ id: number; bytes: number }>(first, id);
  if (blob) db.run(`DELETE FROM ${table} WHERE rowid = ?`, blob.id);
  return blob?.bytes;
}

/**
 * Deletes blobs (packed columns and rollups) of a day until about 512 KB are deleted. So the transaction is short.
 * Returns true if no blob is left.
 */
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
 * Lists the days that still have columns, and so can answer queries with filters. When a day gets old, retention
 * deletes its columns and keeps its sums.
 */
export const listWithColumns = (db: Db, dayIds: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `SELECT DISTINCT sealed_day_id AS id FROM sealed_blob WHERE ${AMONG} ORDER BY sealed_day_id`,
      JSON.stringify(dayIds),
    )
    .map(({ id }) => id);
