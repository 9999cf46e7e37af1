// Defines a shard: some visitors of an open day, with all their hits. A shard has the columns of a day, and also the
// visitor codes, so that later rows can be added.
//
// Invariant: each visitor of a day is in exactly one shard. The counts of all shards can therefore be added up.
//
// Example: a day of 600,000 hits has two shards. The first shard has the visitor codes below 4e15, and the second shard
// has all other codes. A hit with the code 5e15 waits in the delta of the second shard, until compaction writes this
// shard again. sessionize.ts makes shards of rows. The files of open/ store shards and count their visits.
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import { packBuckets, VITALS } from '../../stats/vitals.ts';
import { SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import type { Day } from './day.ts';

/**
 * Rows of a shard before they are grouped into visits. If new hits change a stored visit, the visit is turned back into
 * rows. For each hit of the stored visit, `seen` has the seconds for which the hit's page was visible. `scroll` has the
 * hit's depth, and `vitals` has the hit's web vitals.
 *
 * The rows of a day are numbered in the order in which they arrived. `arrival` has the number of each row. All rows
 * that are made from a stored visit have the number of the visit's first row.
 */
export type ShardRows = ImportedRows & { seen: Int32Array; arrival: Uint32Array };

export type ShardDay = Omit<Day, 'column'> & { column(name: ShardColumn): Column };

/**
 * A shard in memory. `idle` has heartbeats that belong to no visit. A later row may start a visit to which such a
 * heartbeat belongs.
 */
export type Shard = ShardDay & {
  /** The visitor code of each visit, ascending. */
  codes(): Float64Array;
  idle: ShardRows;
};

/**
 * Copies the rows that belong to the visitors of one shard. All rows of the day are numbered from 0, in the order of
 * arrival. `first` is the number of the first row in `rows`. Rows with numbers below `since` are left out. For each
 * shard, this function reads all new rows, because sorting the rows by shard first would be slower.
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
  for (const name of ['second', 'visitor', 'engaged', 'scroll', 'vitals'] as const)
    copySome(own[name], 0, rows[name], indexes);
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
 * For each block of 64 numbers, `sumBlocks` stores the sum of all numbers before the block. A sum for each single
 * number would take 40 MB for ten million numbers.
 */
const BLOCK = 64;

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
 * Returns a function that adds up all numbers before a place in the list. With the sums of blocks, each call reads at
 * most 63 numbers.
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
 * Returns a function that finds the index of a visit's first hit. This index is the number of hits of all earlier
 * visits. The sums that `sumBlocks` returns stay in memory as long as the shard. Otherwise, each query after the
 * arrival of new hits would add up the whole column `hits` again.
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
 * Returns a function that reads the packed web vitals of a hit. Returns undefined if no hit of the shard has web
 * vitals.
 */
export function readVitals(shard: Shard): ((hit: number) => number) | undefined {
  const isMeasured = VITALS.some((vital) => (shard.column(vital).terms.at(-1) ?? 0) > 0);
  const columns = isMeasured ? VITALS.map((vital) => readValues(shard, vital)) : [];
  return isMeasured ? (hit) => packBuckets(columns.map((read) => read(hit))) : undefined;
}

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
 * Loads all columns of a shard into memory. The result does not refer to the old shard, so the memory of the old shard
 * can be freed. Test: test/ledger/day/shard.test.ts.
 */
export const loadColumns = (shard: Shard): Shard =>
  makeShard(shard, new Map(SHARD_COLUMNS.map((name) => [name, shard.column(name)])), shard.codes());

/**
 * Copies the time and the visitor of heartbeats that belong to no visit. The visible seconds, the depth and the web
 * vitals are left out, because they count for no hit.
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
  for (const name of ROW_LISTS) larger[name].set(rows[name]);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return { ...larger, count: rows.count };
}

/** The names of all lists in `ShardRows`, except the lists in `terms`. Each list has one number for each row. */
const ROW_LISTS = ['second', 'visitor', 'engaged', 'scroll', 'vitals', 'seen', 'arrival'] as const;
type RowList = ShardRows[(typeof ROW_LISTS)[number]];

function copySome(to: RowList, count: number, own: RowList, indexes: readonly number[]): void {
  for (let i = 0; i < indexes.length; i++) to[count + i] = own[indexes[i] as number] as number;
}

export function appendSome(rows: ShardRows, from: ShardRows, indexes: readonly number[]): ShardRows {
  const result = growRows(rows, indexes.length);
  const { count } = result;
  for (const name of ROW_LISTS) copySome(result[name], count, from[name], indexes);
  for (const field of TEXT_FIELDS) copySome(result.terms[field], count, from.terms[field], indexes);
  result.count += indexes.length;
  return result;
}

export type VisitorRange = { from: number; to: number };

export const ALL_VISITORS: VisitorRange = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * Lists the ranges of visitor codes of the shards. Shard `i` has the codes from `froms[i]` on, and below `froms[i +
 * 1]`. For example, [0, 500] means two shards: one with the codes 0 to 499, and one with all codes from 500 on.
 */
export const listVisitorRanges = (froms: readonly number[]): VisitorRange[] =>
  froms.map((from, i) => ({ from, to: froms[i + 1] ?? ALL_VISITORS.to }));

/**
 * Returns the index of the visitor's first visit. If the visitor has no visit, returns the index of the next larger
 * code. The search begins at the index `from`. A caller with ascending codes passes its previous result, from which a
 * few small steps are enough.
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
