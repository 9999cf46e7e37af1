import { emptyRows, type Rows } from '../../engine/import-content.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import { noTotals } from '../../stats/measured.ts';
import { type Column, SHARD_COLUMNS, type ShardColumn } from '../column/column.ts';
import type { Day } from './day.ts';

/** Rows of which those that were folded before also know how many seconds their page was seen, and each when it arrived. */
export type ShardRows = Rows & { seen: Int32Array; arrival: Uint32Array };

/** A Day with the columns of a part. */
export type ShardDay = Omit<Day, 'column'> & { column(name: ShardColumn): Column };

/**
 * Some visitors of an open day, with all their hits: a Day that still knows its visitors and may be folded again with more rows.
 * Visits are sorted by the code of their visitor. `idle` are signs of life that had no visit yet, in lists without room for more.
 */
export type Shard = ShardDay & {
  /** The visitor of each visit, ascending. */
  codes(): Float64Array;
  idle: ShardRows;
};

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

/** Of so many numbers one sum is kept: of ten million all would take 40 MB. */
const BLOCK = 64;

/** The sums of all numbers of a list before each block of them. */
function blocksOf(list: ArrayLike<number>): Uint32Array {
  const blocks = new Uint32Array(Math.floor(list.length / BLOCK) + 1);
  let sum = 0;
  for (let i = 0; i < list.length; i++) {
    if (i % BLOCK === 0) blocks[i / BLOCK] = sum;
    sum += list[i] as number;
  }
  if (list.length % BLOCK === 0) blocks[list.length / BLOCK] = sum;
  return blocks;
}

/** The sum of all numbers of a list before a place. */
export function sumsBefore(list: ArrayLike<number>, blocks = blocksOf(list)): (place: number) => number {
  return (place) => {
    const block = Math.floor(place / BLOCK);
    let sum = blocks[block] as number;
    for (let before = block * BLOCK; before < place; before++) sum += list[before] as number;
    return sum;
  };
}

const kept = new WeakMap<Shard, Uint32Array>();

/** Where the hits of each visit begin, and where all end. What comes asks for it again and again. */
export function startsIn(part: Shard): (visit: number) => number {
  const { codes: hits } = part.column('hits');
  const blocks = kept.get(part) ?? blocksOf(hits);
  kept.set(part, blocks);
  return sumsBefore(hits, blocks);
}

/** The value of each row of a column. */
export function valuesIn(part: Shard, name: ShardColumn): (row: number) => number {
  const { terms, codes }: Column = part.column(name);
  return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
}

/** Computes or reads each column when it is first used, and keeps it. */
export function lazily<Name extends ShardColumn>(columnFor: (name: Name) => Column): (name: Name) => Column {
  const columns = new Map<Name, Column>();
  return (name) => {
    const column = columns.get(name) ?? columnFor(name);
    columns.set(name, column);
    return column;
  };
}

const partOf = (
  { day, totals, idle }: Omit<Shard, 'column' | 'codes'>,
  columns: ReadonlyMap<ShardColumn, Column>,
  codes: Float64Array,
): Shard => ({ day, totals, idle, column: (name) => columns.get(name) as Column, codes: () => codes });

/**
 * The same part with all its columns in memory. What it was made of is freed, because no function of it was made where that is in
 * scope. Test: test/ledger/day/shard.test.ts.
 */
export const withColumns = (part: Shard): Shard =>
  partOf(part, new Map(SHARD_COLUMNS.map((name) => [name, part.column(name)])), part.codes());

/** Some of the rows, as signs of life without a visit: they may keep one going that comes later, and tell nothing about its hits. */
export function idleIn(rows: Rows, indexes: readonly number[]): ShardRows {
  const idle = emptyShardRows(indexes.length);
  for (const index of indexes) {
    const i = idle.count++;
    for (const name of ['second', 'visitor'] as const) idle[name][i] = rows[name][index] as number;
  }
  return idle;
}

/** The rows in buffers with room for `more` of them. */
export function withRoom(rows: ShardRows, more: number): ShardRows {
  const needed = rows.count + more;
  if (needed <= rows.second.length) return rows;
  const larger = emptyShardRows(Math.max(needed, rows.second.length * 2));
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const) larger[name].set(rows[name]);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return { ...larger, count: rows.count };
}

type RowList = ShardRows['second' | 'visitor' | 'arrival'];

/** Copies some of the numbers of a list to the end of another. */
function copySome(to: RowList, count: number, own: RowList, indexes: readonly number[]): void {
  for (let i = 0; i < indexes.length; i++) to[count + i] = own[indexes[i] as number] as number;
}

/** Rows with some of others after them, column by column. */
export function withSome(rows: ShardRows, from: ShardRows, indexes: readonly number[]): ShardRows {
  const result = withRoom(rows, indexes.length);
  const { count } = result;
  for (const name of ['second', 'visitor', 'engaged', 'seen', 'arrival'] as const)
    copySome(result[name], count, from[name], indexes);
  for (const field of TEXT_FIELDS) copySome(result.terms[field], count, from.terms[field], indexes);
  result.count += indexes.length;
  return result;
}

/** Visitors with codes from `from` to before `to`: all of a day that are in one part. */
export type VisitorRange = { from: number; to: number };

export const EVERYBODY: VisitorRange = { from: 0, to: Number.POSITIVE_INFINITY };

/** The visitors of each part of a day, by where those of each begin. */
export const listVisitorRanges = (froms: readonly number[]): VisitorRange[] =>
  froms.map((from, i) => ({ from, to: froms[i + 1] ?? EVERYBODY.to }));

/**
 * The rows of some visitors with numbers from `since` on, in the order of arrival; the first of all is row number `first` of its day.
 * Every part goes through the rows that it does not know, because to go through many for one part is quicker than to sort them all.
 */
export function takeShardRows(
  rows: Rows,
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

/**
 * The first visit of a visitor or of those with larger codes, at or after a place. It looks in steps that double first: who asks for
 * one visitor after the other mostly finds the next one near.
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
