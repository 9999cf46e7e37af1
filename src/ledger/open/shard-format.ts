// Packs a shard into blobs, and reads the blobs. The blobs have the visitor codes, the columns, and those heartbeats
// that belong to no visit.
//
// Invariant: reading returns the shard that was packed. The blob `visitor` has the code of each visitor once, not once
// for each visit.
//
// Example: three visits are by the visitors 5, 5 and 9. The stored visitors are [5, 9]. The column `again` is [0, 1,
// 0], because the second visit is by the same visitor as the first visit. split-shard.ts packs shards. open-day.ts and
// compaction.ts read them.
import type { Db } from '../../store/db.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { isHitColumn, packShardColumn, SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import { type Column, free, type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { emptyShardRows, type Shard, type ShardRows } from '../day/shard.ts';
import { readShardBlob, readShardColumn, type ShardRow } from './shard-table.ts';

const NONE = new Uint8Array(0);

export const makeShardBlobs = (shard: Shard): StoredBlob[] => [
  { name: 'visitor', data: packVisitors(shard) },
  { name: 'idle', data: packIdle(shard.idle) },
  ...SHARD_COLUMNS.map((name) => ({ name, data: packShardColumn(name, shard.column(name)) })),
];

/**
 * Reads a shard. A column is read when it is first needed, through the cache `cached`. The visitor codes stay in memory
 * after they were read.
 */
export function readShard(db: Db, day: number, row: ShardRow, cached: ReadColumn = (_, __, read) => read()): Shard {
  let codes: Float64Array | undefined;
  const column = (name: ShardColumn): Column =>
    cached(row.id, name, () =>
      readShardColumn(db, row, name, { rows: isHitColumn(name) ? row.pageviews + row.events : row.visits }),
    );
  return {
    day,
    totals: row,
    column,
    codes() {
      if (!codes) {
        const blob = readShardBlob(db, row.id, 'visitor');
        codes = repeatCodes(unpackCodes(blob).codes, column('again').codes);
        if (codes.buffer !== blob.buffer) free(blob);
      }
      return codes;
    },
    idle: unpackIdle(readShardBlob(db, row.id, 'idle')),
  };
}

function unpackCodes(bytes: Uint8Array): { codes: Float64Array; others: Numbers[] } {
  const [codes, ...others] = unpack(bytes);
  if (!(codes instanceof Float64Array)) throw new RangeError('codes of visitors have eight bytes each');
  return { codes, others };
}

const packIdle = ({ count, visitor, second }: ShardRows): Buffer =>
  pack([visitor.subarray(0, count), narrow(second.subarray(0, count))]);

function unpackIdle(bytes: Uint8Array): ShardRows {
  const { codes, others } = unpackCodes(bytes);
  const rows = emptyShardRows(codes.length);
  rows.count = codes.length;
  rows.visitor.set(codes);
  rows.second.set(others[0] ?? NONE);
  return rows;
}

function packVisitors(shard: Shard): Buffer {
  const again = shard.column('again').codes;
  const codes = shard.codes();
  const visitors = new Float64Array(codes.length);
  let count = 0;
  for (let visit = 0; visit < codes.length; visit++) if (again[visit] === 0) visitors[count++] = codes[visit] as number;
  const packed = pack([visitors.subarray(0, count)]);
  free(visitors);
  return packed;
}

/** Returns the visitor code of each visit. The visitors [5, 9] with the column `again` [0, 1, 0] give [5, 5, 9]. */
function repeatCodes(visitors: Float64Array, again: Numbers): Float64Array {
  if (visitors.length === again.length) return visitors;
  const codes = new Float64Array(again.length);
  let visitor = -1;
  for (let visit = 0; visit < codes.length; visit++) {
    if (again[visit] === 0) visitor++;
    codes[visit] = visitors[visitor] as number;
  }
  return codes;
}

/**
 * Returns a column of a shard, perhaps from a cache. `read` reads the column from the file, and is called only if the
 * cache lacks the column.
 */
export type ReadColumn = (shardId: number, name: ShardColumn, read: () => Column) => Column;
