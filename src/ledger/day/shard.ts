// A shard has some visitors of an open day, with all their hits. A shard has the columns of a day and also the visitor
// codes, so that rows can be added.
// Invariant: each visitor of a day is in exactly one shard, so the counts of all shards can be added. Visits are sorted
// by visitor code.
//
// Example: a day of 600,000 hits has two shards. The first shard has the visitor codes below 4e15, and the second shard
// has all other codes. A new hit with the code 5e15 belongs to the second shard. The hit waits in the delta of the
// second shard (its new rows), until compaction writes the shard again.
//
// sessionize.ts makes shards of rows. to-rows.ts makes rows of shards. open/ stores shards, adds rows to shards and
// counts their visits.
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import { type Column, SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import type { Day } from './day.ts';

/**
 * Rows (hits and heartbeats) of some visitors of a day. When a shard is written again, its visits are turned back into
 * rows, to be joined with new ones. Heartbeats are not kept, so `seen` has the seconds for which the page of such a hit
 * was visible. For other rows it is 0. `arrival` is the row's number among all rows of the day, in the order
 * of arrival.
 */
export type ShardRows = ImportedRows & { seen: Int32Array; arrival: Uint32Array };

export type ShardDay = Omit<Day, 'column'> & { column(name: ShardColumn): Column };

/**
 * Some visitors of an open day with all their hits, in memory. `idle` has heartbeats (messages that a page is still
 * visible) outside any visit. A later row may make a visit around such a heartbeat, so they are kept.
 */
export type Shard = ShardDay & {
  /** The visitor code of each visit, ascending. By this code, a new hit finds the earlier visits of its visitor. */
  codes(): Float64Array;
  idle: ShardRows;
};

/**
 * A shard has some visitors of a day. Takes the rows of one shard's visitors, from row number `since` of the day. The
 * list `rows` begins with row number `first` of the day. Each shard reads all new rows, because sorting the rows by
 * shard once would be slower.
 */
export function takeShardRows(
  rows: ImportedRows,
  { from, to }: VisitorRange,
  { first, since }: { first: number; since: number },
): ShardRows {
  const { visitor, terms } = rows;
  const indexes: number[] = [];
  for (let i = since - first; i < rows.count; i++) {
    if ((visitor[i] as number) >= from && (visitor[i] as number) < to) indexes.push(i);
  }
  const own = emptyShardRows(indexes.length);
  for (const name of ['second', 'visitor', 'engaged'] as const) copySome(own[name], 0, rows[name], indexes);
  for (const field of TEXT_FIELDS) copySome(own.terms[field], 0, terms[field], indexes);
  for (let i = 0; i < indexes.length; i++) own.arrival[i] = first + (indexes[i] as number);
  own.count = indexes.length;
  return own;
}

export const emptyShardRows = (capacity: number): ShardRows => ({
  ...emptyRows(capacity),
  seen: new Int32Array(capacity),
  arrival: new Uint32Array(capacity),
});

export const emptyShard = (day: number): Shard => ({
  day,
  totals: noTotals(),
  column: () => ({ terms: new Uint8Array(0), codes: new Uint8Array(0) }),
  codes: () => new Float64Array(0),
  idle: emptyShardRows(0),
});

/**
 * One sum is stored for each block of 64 numbers. A sum for each of ten million numbers would take 40 MB. `sumBefore`
 * adds up at most 63 numbers more.
 */
const BLOCK = 64;

/** Returns, for each block of 64 numbers, the sum of all numbers before that block. */
function sumBlocks(list: ArrayLike<number>): Uint32Array {
  const blocks = new Uint32Array(Math.floor(list.length / BLOCK) + 1);
  let sum = 0;
  for (let i = 0; i < list.length; i++) {
    if (i % BLOCK === 0) blocks[i / BLOCK] = sum;
    sum += list[i] as number;
  }
  if (list.length % BLOCK === 0) blocks[list.length / BLOCK] = sum;
  return blocks;
}

/**
 * Returns a function that adds up all numbers before a place in the list. With a sum for each block of 64 numbers, the
 * function adds up at most 63 numbers.
 */
export function sumBefore(list: ArrayLike<number>, blocks = sumBlocks(list)): (place: number) => number {
  return (place) => {
    const block = Math.floor(place / BLOCK);
    let sum = blocks[block] as number;
    for (let before = block * BLOCK; before < place; before++) sum += list[before] as number;
    return sum;
  };
}

const kept = new WeakMap<Shard, Uint32Array>();

/**
 * Returns a function that finds the index of a visit's first hit. The sums for blocks of 64 visits stay in memory,
 * because each query with new hits needs these sums again.
 */
export function findStartsIn(shard: Shard): (visit: number) => number {
  const { codes: hits } = shard.column('hits');
  const blocks = kept.get(shard) ?? sumBlocks(hits);
  kept.set(shard, blocks);
  return sumBefore(hits, blocks);
}

export function readValues(shard: Shard, name: ShardColumn): (row: number) => number {
  const { terms, codes }: Column = shard.column(name);
  return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
}

/**
 * Returns a function that reads columns with `columnFor`. Each column is read once; later calls return the same column.
 */
export function readOnce<Name extends ShardColumn>(columnFor: (name: Name) => Column): (name: Name) => Column {
  const columns = new Map<Name, Column>();
  return (name) => {
    const column = columns.get(name) ?? columnFor(name);
    columns.set(name, column);
    return column;
  };
}

const makeShard = (
  { day, totals, idle }: Omit<Shard, 'column' | 'codes'>,
  columns: ReadonlyMap<ShardColumn, Column>,
  codes: Float64Array,
): Shard => ({ day, totals, idle, column: (name) => columns.get(name) as Column, codes: () => codes });

/**
 * Loads all columns of a shard (some visitors of a day) into memory. The result does not refer to the old shard, so the
 * memory of that shard can be freed. Test: test/ledger/day/shard.test.ts.
 */
export const loadColumns = (shard: Shard): Shard =>
  makeShard(shard, new Map(SHARD_COLUMNS.map((name) => [name, shard.column(name)])), shard.codes());

/**
 * Copies heartbeats (messages that a page is still visible) that came while no visit of their visitor was running. A
 * hit that arrives late may make a visit around a heartbeat, so time and visitor are needed. The heartbeat then makes
 * the visit longer. Its seconds count for no hit, because its page had no hit in a running visit when it arrived.
 */
export function takeHeartbeats(rows: ImportedRows, indexes: readonly number[]): ShardRows {
  const idle = emptyShardRows(indexes.length);
  for (const index of indexes) {
    const i = idle.count++;
    for (const name of ['second', 'visitor'] as const) idle[name][i] = rows[name][index] as number;
  }
  return idle;
}

export function growRows(rows: ShardRows, more: number): ShardRows {
  const needed = rows.count + more;
  if (needed <= rows.second.length) return rows;
  const larger = emptyShardRows(Math.max(needed, rows.second.length * 2));
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const) larger[name].set(rows[name]);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return { ...larger, count: rows.count };
}

type RowList = ShardRows['second' | 'visitor' | 'arrival'];

function copySome(to: RowList, count: number, own: RowList, indexes: readonly number[]): void {
  for (let i = 0; i < indexes.length; i++) to[count + i] = own[indexes[i] as number] as number;
}

export function appendSome(rows: ShardRows, from: ShardRows, indexes: readonly number[]): ShardRows {
  const result = growRows(rows, indexes.length);
  const { count } = result;
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const)
    copySome(result[name], count, from[name], indexes);
  for (const field of TEXT_FIELDS) copySome(result.terms[field], count, from.terms[field], indexes);
  result.count += indexes.length;
  return result;
}

/** The visitor codes of one shard (some visitors of a day), from `from` up to, but not including, `to`. */
export type VisitorRange = { from: number; to: number };

export const ALL_VISITORS: VisitorRange = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * A shard has some visitors of a day: those with codes from its number in `froms` up to the next shard's number. The
 * next shard's number itself is not in the range. The last shard has no upper limit. So each visitor belongs to exactly
 * one shard.
 */
export const listVisitorRanges = (froms: readonly number[]): VisitorRange[] =>
  froms.map((from, i) => ({ from, to: froms[i + 1] ?? ALL_VISITORS.to }));

/**
 * Returns the index of the visitor's first visit, at or after index `from`. If the visitor has no visit there, this is
 * the index of the next larger code. Callers ask for ascending codes that are near each other. So the search begins
 * with small steps and doubles the steps.
 */
export function seekVisitor(codes: Float64Array, visitor: number, from = 0): number {
  let low = from;
  let step = from === 0 ? codes.length : 1;
  while (low + step < codes.length && (codes[low + step] as number) < visitor) {
    low += step + 1;
    step *= 2;
  }
  let high = Math.min(low + step, codes.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((codes[middle] as number) < visitor) low = middle + 1;
    else high = middle;
  }
  return low;
}
