// A shard is some visitors of an open day with all their hits. It is a day in columns that still knows the visitor codes.
// Invariant: each visitor of a day is in exactly one shard, so counts of shards add up. Visits are sorted by visitor code.
//
// Example: a day has 600,000 hits in two shards. The first has the visitor codes from 0 to before 4e15, the second all from there on.
// A new hit with the code 5e15 concerns the second shard alone. Until a compaction, it waits in the rows of the second shard's delta.
//
// sessionize.ts makes shards of rows, to-rows.ts makes rows of them again. open/ stores them, extends them and counts them.
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import { type Column, SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import type { Day } from './day.ts';

/** Rows of a shard. Rows that were visits before know more: for how many seconds their page was seen, and when they arrived. */
export type ShardRows = ImportedRows & { seen: Int32Array; arrival: Uint32Array };

/** A Day that also has the column `arrival`, which only shards have. */
export type ShardDay = Omit<Day, 'column'> & { column(name: ShardColumn): Column };

/** A shard in memory. More rows may be added to it by sessionizing anew. `idle` are heartbeats that have no visit yet. */
export type Shard = ShardDay & {
  /** The visitor of each visit, ascending. */
  codes(): Float64Array;
  idle: ShardRows;
};

/**
 * Takes the rows of one shard with numbers from `since` on, in the order of arrival. The first of `rows` is row number `first` of its day.
 * Each shard goes through all new rows, which is faster than sorting them once.
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

/** One sum is kept for so many numbers. A sum for each of ten million numbers would take 40 MB. */
const BLOCK = 64;

/** Sums the numbers before each block of a list. */
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

/** Gives a function for the sum of all numbers before a place. */
export function sumBefore(list: ArrayLike<number>, blocks = sumBlocks(list)): (place: number) => number {
  return (place) => {
    const block = Math.floor(place / BLOCK);
    let sum = blocks[block] as number;
    for (let before = block * BLOCK; before < place; before++) sum += list[before] as number;
    return sum;
  };
}

const kept = new WeakMap<Shard, Uint32Array>();

/** Gives a function for the index of a visit's first hit. The sums are kept, because deltas ask again and again. */
export function findStartsIn(shard: Shard): (visit: number) => number {
  const { codes: hits } = shard.column('hits');
  const blocks = kept.get(shard) ?? sumBlocks(hits);
  kept.set(shard, blocks);
  return sumBefore(hits, blocks);
}

/** Gives a function for the value of a row of a column. */
export function readValues(shard: Shard, name: ShardColumn): (row: number) => number {
  const { terms, codes }: Column = shard.column(name);
  return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
}

/** Makes or reads each column when it is first used, and keeps it. */
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
 * Loads all columns of a shard into memory. Then the memory of its sources can be freed: no function here keeps them in scope. Test:
 * test/ledger/day/shard.test.ts.
 */
export const loadColumns = (shard: Shard): Shard =>
  makeShard(shard, new Map(SHARD_COLUMNS.map((name) => [name, shard.column(name)])), shard.codes());

/** Takes some rows as heartbeats without a visit. A heartbeat may continue a later visit, but says nothing about its hits. */
export function takeHeartbeats(rows: ImportedRows, indexes: readonly number[]): ShardRows {
  const idle = emptyShardRows(indexes.length);
  for (const index of indexes) {
    const i = idle.count++;
    for (const name of ['second', 'visitor'] as const) idle[name][i] = rows[name][index] as number;
  }
  return idle;
}

/** Gives the rows in buffers with room for `more` rows. */
export function growRows(rows: ShardRows, more: number): ShardRows {
  const needed = rows.count + more;
  if (needed <= rows.second.length) return rows;
  const larger = emptyShardRows(Math.max(needed, rows.second.length * 2));
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const) larger[name].set(rows[name]);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return { ...larger, count: rows.count };
}

type RowList = ShardRows['second' | 'visitor' | 'arrival'];

/** Copies some numbers of a list to the end of another list. */
function copySome(to: RowList, count: number, own: RowList, indexes: readonly number[]): void {
  for (let i = 0; i < indexes.length; i++) to[count + i] = own[indexes[i] as number] as number;
}

/** Appends some rows of `from`, column by column. */
export function appendSome(rows: ShardRows, from: ShardRows, indexes: readonly number[]): ShardRows {
  const result = growRows(rows, indexes.length);
  const { count } = result;
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const)
    copySome(result[name], count, from[name], indexes);
  for (const field of TEXT_FIELDS) copySome(result.terms[field], count, from.terms[field], indexes);
  result.count += indexes.length;
  return result;
}

/** Visitor codes from `from` to before `to`: the visitors of one shard. */
export type VisitorRange = { from: number; to: number };

export const ALL_VISITORS: VisitorRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** Lists the visitors of each shard of a day, by the first code of each shard. */
export const listVisitorRanges = (froms: readonly number[]): VisitorRange[] =>
  froms.map((from, i) => ({ from, to: froms[i + 1] ?? ALL_VISITORS.to }));

/**
 * Finds the first visit of a visitor, or else of the next larger code, at or after a place. Its steps double first, because callers ask for
 * ascending codes, which are near each other.
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
