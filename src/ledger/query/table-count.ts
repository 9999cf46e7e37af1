// Defines the counted rows of a table (`TableCount`), which threads send to each other. Also makes a `TableCount` from
// numbered rows, or from pairs in a grid. A key is what the table groups by, such as the country.
//
// Invariant: a row is named by the values of its keys. The numbers of rows are valid only within one scan or merge.
//
// Example: a table by country and browser has the rows (DE, Chrome), (DE, Firefox) and (FR, Chrome). The column of
// countries has the terms of DE and FR, and the codes [0, 0, 1] for the three rows. The column of browsers has the
// terms of Chrome and Firefox, and the codes [0, 1, 0]. table-counter.ts and merge-tables.ts call `listRows` and
// `listPairs`.
import type { Of } from '../../stats/query.ts';
import { MOST_TABLE_ROWS } from '../../stats/table.ts';
import { isDayKey, isHitKey, type TableKey } from '../../stats/table-keys.ts';
import { type Column, type Numbers, narrow } from '../column/packing.ts';
import { type Combinations, readRows } from '../count/combinations.ts';
import type { CountedPairs } from '../count/pair-counts.ts';
import type { MoreSums } from '../count/term-counts.ts';

export type TableQuery = Of<'table'>;

/**
 * The rows of some days. `keys` has a column for each key, with the value of each row. A text is stored as its term.
 * Numbers take as few bytes as possible (`narrow`), because the lists are sent to other threads.
 */
export type TableCount = {
  keys: Column[];
  visitors: ArrayLike<number>;
  more: MoreSums;
  isTooLong: boolean;
};

/** Stands for a table with too many rows. Its query is refused, so its rows are left out. */
export const TOO_LONG: TableCount = { keys: [], visitors: [], more: {}, isTooLong: true };

/**
 * Returns the order in which keys are combined, as indexes of the list `by`. Keys with one value for a whole day, such
 * as the week, come first. If all visits are selected, combining one value with a column takes no loop. Keys with a
 * value for each hit, such as the page, come last, because `combineColumns` requires this.
 */
export const orderKeys = (by: readonly TableKey[]): number[] => {
  const ranks = by.map((key) => (isHitKey(key) ? 2 : isDayKey(key) ? 0 : 1));
  return [...by.keys()].sort((one, other) => (ranks[one] as number) - (ranks[other] as number));
};

/** True if a table has two keys. */
export const isPair = <Item>(list: readonly Item[]): list is readonly [Item, Item] => list.length === 2;

/** Sorts the columns of the keys: from the order that `orderKeys` returns into the order of the query (`by`). */
function restoreOrder(by: readonly TableKey[], columns: readonly Column[]): Column[] {
  const keys: Column[] = [];
  for (const [i, place] of orderKeys(by).entries()) keys[place] = columns[i] as Column;
  return keys;
}

export function listPairs({ by }: TableQuery, { keys, visitors }: CountedPairs): TableCount {
  if (visitors.length > MOST_TABLE_ROWS) return TOO_LONG;
  return { keys: restoreOrder(by, keys), visitors, more: {}, isTooLong: false };
}

/**
 * Lists the rows that have visitors. Each row has a number, from which `combinations` finds the values of its keys.
 * `numbers` lists all these numbers. `visitors` has the visitors of row n at index n. `more` returns the other sums of
 * the rows with the given numbers.
 */
export function listRows(
  { by }: TableQuery,
  combinations: Combinations,
  numbers: Uint32Array,
  visitors: ArrayLike<number>,
  more: (rows: Uint32Array) => MoreSums,
): TableCount {
  const rows = dropEmpty(numbers, visitors);
  if (rows.length > MOST_TABLE_ROWS) return TOO_LONG;
  const keys = restoreOrder(by, readRows(combinations, rows));
  return { keys, visitors: takeCounts(visitors, rows), more: more(rows), isTooLong: false };
}

function dropEmpty(numbers: Uint32Array, visitors: ArrayLike<number>): Uint32Array {
  const rows = new Uint32Array(numbers.length);
  let size = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = numbers[i] as number;
    rows[size] = row;
    size += visitors[row] ? 1 : 0;
  }
  return rows.subarray(0, size);
}

export function takeCounts(counts: ArrayLike<number>, rows: Uint32Array): Numbers {
  const taken = new Float64Array(rows.length);
  for (let i = 0; i < taken.length; i++) taken[i] = counts[rows[i] as number] ?? 0;
  return narrow(taken);
}

/** Changes the sign of all counts. Adding the result then means subtracting the original counts. */
export const negateTable = ({ keys, visitors, more, isTooLong }: TableCount): TableCount => ({
  keys,
  visitors: Array.from(visitors, (count) => -count),
  more: Object.fromEntries(
    Object.entries(more).map(([name, list]) => [name, Float64Array.from(list, (count) => -count)]),
  ),
  isTooLong,
});

export const countTableNumbers = ({ keys, visitors, more }: TableCount): number =>
  keys.reduce((sum, { terms }) => sum + terms.length, visitors.length * (keys.length + 1 + Object.keys(more).length));
