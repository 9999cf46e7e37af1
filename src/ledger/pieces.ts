import { crc32 } from 'node:zlib';
import type { Db } from '../store/statements.ts';

/** A packed column or rollup of a sealed day. `segment` has a row for each column, `rollup` one for each breakdown. */
export type Piece = { name: string; data: Uint8Array };
export type PieceTable = 'segment' | 'rollup';

type Row = { name: string; data: Buffer; crc: number };

const TABLES: readonly PieceTable[] = ['segment', 'rollup'];

/** Inserts nothing if the site, and with it the day, was deleted while the day was being written. */
const insertInto = (table: PieceTable): string =>
  `INSERT OR IGNORE INTO ${table} (sealed_day_id, name, data, crc) SELECT id, ?, ?, ? FROM sealed_day WHERE id = ?`;

export function addPiece(db: Db, table: PieceTable, dayId: number, { name, data }: Piece): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  db.run(insertInto(table), name, bytes, crc32(data), dayId);
}

/** Throws if the bytes are damaged. The checksum costs about 0.2 ms per megabyte. */
function assertSound({ data, crc }: Row, piece: string): Buffer {
  if (crc32(data) !== crc) throw new Error(`${piece} is damaged, its checksum has changed; run daybook check`);
  return data;
}

/** A piece of a day. Throws if it is damaged, because a wrong figure is worse than none. */
export function findPiece(db: Db, table: PieceTable, dayId: number, name: string): Buffer | undefined {
  const row = db.one<Row>(`SELECT name, data, crc FROM ${table} WHERE sealed_day_id = ? AND name = ?`, dayId, name);
  return row && assertSound(row, `${table} ${name} of day ${dayId}`);
}

export const missing = (table: PieceTable, dayId: number, name: string): Error =>
  new Error(`${table} ${name} of day ${dayId} is missing; run daybook check`);

/** All pieces of a day, and the names of those that are damaged. */
export function listPieces(
  db: Db,
  table: PieceTable,
  dayId: number,
): { pieces: Map<string, Buffer>; damaged: string[] } {
  const rows = db.all<Row>(`SELECT name, data, crc FROM ${table} WHERE sealed_day_id = ?`, dayId);
  return {
    pieces: new Map(rows.map(({ name, data }) => [name, data])),
    damaged: rows.filter(({ data, crc }) => crc32(data) !== crc).map(({ name }) => name),
  };
}

export const listPieceNames = (db: Db, table: PieceTable, dayId: number): string[] =>
  db.all<{ name: string }>(`SELECT name FROM ${table} WHERE sealed_day_id = ?`, dayId).map(({ name }) => name);

export const removePiece = (db: Db, table: PieceTable, dayId: number, name: string): void => {
  db.run(`DELETE FROM ${table} WHERE sealed_day_id = ? AND name = ?`, dayId, name);
};

export function removePieces(db: Db, dayId: number): void {
  for (const table of TABLES) db.run(`DELETE FROM ${table} WHERE sealed_day_id = ?`, dayId);
}

const AMONG = 'sealed_day_id IN (SELECT value FROM json_each(?))';

/** The bytes of all pieces of the days. */
export function bytesOf(db: Db, dayIds: readonly number[], tables: readonly PieceTable[] = TABLES): number {
  const sumIn = (table: PieceTable) =>
    db.one<{ bytes: number }>(
      `SELECT coalesce(sum(length(data)), 0) AS bytes FROM ${table} WHERE ${AMONG}`,
      JSON.stringify(dayIds),
    )?.bytes ?? 0;
  return tables.reduce((bytes, table) => bytes + sumIn(table), 0);
}

/** Those of the days that still have columns. */
export const listWithColumns = (db: Db, dayIds: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `SELECT DISTINCT sealed_day_id AS id FROM segment WHERE ${AMONG} ORDER BY sealed_day_id`,
      JSON.stringify(dayIds),
    )
    .map(({ id }) => id);
