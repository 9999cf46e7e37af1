// Gives a number to each distinct row of a table. Here, a row is a list of values, such as (DE, Firefox). A key is a
// column of the table, such as the country.
//
// Invariant: equal rows have the same number, on all days of a query. The numbers are 0, 1, 2 and so on.
//
// Example: the rows (DE, Firefox), (DE, Chrome) and (DE, Firefox) get the numbers 0, 1 and 0. combine.ts numbers the
// rows of a day, and query/table-counter.ts numbers the rows of several threads.
//
// All loops are in functions at the top level of the file, because V8 frees compiled inner functions between queries.
// Each query would then begin with slow, uncompiled loops.
import type { Selection } from '../day/day.ts';
import { type Coded, lengthen, makePairs, numberPairs, type PairNumbers, takeAll } from './pair-numbers.ts';
import { listCodes } from './plain-codes.ts';

/**
 * The numbers of all known rows. A row is stored as a pair of two numbers. One is the number of the row without its
 * last value, and the other is the number of the last value. `values[i]` numbers the values of key i. `pairs[i]`
 * numbers the pairs whose last value belongs to key i. If there are several keys, a row of only the first value has
 * the number of this value.
 */
export type Combinations = { values: ValueNumbers[]; pairs: PairNumbers[] };

export const makeCombinations = (width: number): Combinations => ({
  values: Array.from({ length: width }, () => ({ listed: new Uint32Array(FIRST_SIZE), mapped: new Map(), values: [] })),
  pairs: Array.from({ length: width }, makePairs),
});

/**
 * Counts the distinct rows, or the distinct rows of only the first `width` keys. Rows without values are all equal, so
 * their count is 1.
 */
export function countCombinations(combinations: Combinations, width = combinations.values.length): number {
  if (width === 0) return 1;
  const { values, pairs } = combinations;
  return isFirst(combinations, width - 1)
    ? (values[0] as ValueNumbers).values.length
    : (pairs[width - 1] as PairNumbers).count;
}

/** Returns the number of each row. `keys` has a list for each key, with the value of each row. */
export function numberRows(combinations: Combinations, keys: readonly ArrayLike<number>[], size: number): Uint32Array {
  let codes: Uint32Array = new Uint32Array(size);
  for (const [place, list] of keys.entries()) {
    const numbers = numberValues(combinations, place, list);
    if (isFirst(combinations, place)) codes = numbers;
    else {
      const before = { codes, numbers: listCodes(countCombinations(combinations, place)) };
      codes = numberLonger(combinations, place, [before, { codes: listCodes(size), numbers }], takeAll(size), codes);
    }
  }
  return codes;
}

/** Returns the number of each value in `list`. The values belong to the key with the index `place`. */
export function numberValues({ values }: Combinations, place: number, list: ArrayLike<number>): Uint32Array {
  const own = values[place] as ValueNumbers;
  const numbers = new Uint32Array(list.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = numberValue(own, list[i] as number);
  return numbers;
}

/** True for the first of several keys. The number of its value is also the number of the row with only this value. */
export const isFirst = ({ values }: Combinations, place: number): boolean => place === 0 && values.length > 1;

/**
 * Returns the numbers of longer rows: each entry of `rows` is the number of a row, and the entry of `values` is the
 * number of its next value. Only the entries in `counted` are numbered. The numbers are written into the list `into`.
 */
export function numberLonger(
  combinations: Combinations,
  place: number,
  [rows, values]: readonly [rows: Coded, values: Coded],
  counted: Selection,
  into: Uint32Array,
): Uint32Array {
  const firsts = countCombinations(combinations, place);
  const seconds = (combinations.values[place] as ValueNumbers).values.length;
  numberPairs(combinations.pairs[place] as PairNumbers, { rows, values, firsts, seconds }, counted, into);
  return into;
}

/**
 * Lists the numbers of all rows. A grid has a cell for each possible pair (pair-numbers.ts). If there is a grid, the
 * rows are in the order of its cells. Numbering them again, to add up the rows of several threads, then reads cells
 * that are close to each other.
 */
export function listNumbers(combinations: Combinations): Uint32Array {
  const grid = combinations.pairs.at(-1)?.grid;
  const count = countCombinations(combinations);
  return grid ? listFilled(grid.cells, count) : listCodes(count);
}

function listFilled(cells: Uint32Array, count: number): Uint32Array {
  const numbers = new Uint32Array(count + 1);
  let size = 0;
  for (let i = 0; i < cells.length; i++) {
    const known = cells[i] as number;
    numbers[size] = known - 1;
    size += known === 0 ? 0 : 1;
  }
  return numbers.subarray(0, count);
}

/** Returns the values of rows, in one list for each key. */
export function readRows(combinations: Combinations, rows: ArrayLike<number>): Float64Array[] {
  const { values, pairs } = combinations;
  const left = Uint32Array.from(rows);
  const keys = values.map(() => new Float64Array(rows.length));
  for (let place = values.length - 1; place >= 0; place--) {
    const list = keys[place] as Float64Array;
    if (isFirst(combinations, place)) list.set(left);
    else takeSeconds(list, left, pairs[place] as PairNumbers);
    lookUp(list, (values[place] as ValueNumbers).values);
  }
  return keys;
}

function takeSeconds(list: Float64Array, left: Uint32Array, { firsts, seconds }: PairNumbers): void {
  for (let i = 0; i < left.length; i++) {
    const pair = left[i] as number;
    list[i] = seconds[pair] as number;
    left[i] = firsts[pair] as number;
  }
}

function lookUp(list: Float64Array, values: readonly number[]): void {
  for (let i = 0; i < list.length; i++) list[i] = values[list[i] as number] as number;
}

const FIRST_SIZE = 1024;

/**
 * The numbers of the values of one key. `listed[value]` is the number of a small value, plus one. The entry is 0 if the
 * value has no number yet. `mapped` has the number of each large or negative value, plus one. `values[number]` is the
 * value with this number.
 */
type ValueNumbers = { listed: Uint32Array; mapped: Map<number, number>; values: number[] };

/**
 * Values from this number on are in `mapped`, because they would make the list `listed` too long. An example is the
 * beginning of an hour, in seconds since 1970.
 */
const LISTED_VALUES = 2 ** 22;

function numberValue(of: ValueNumbers, value: number): number {
  if (value < 0 || value >= LISTED_VALUES) {
    const known = of.mapped.get(value) ?? of.values.push(value);
    of.mapped.set(value, known);
    return known - 1;
  }
  if (value >= of.listed.length) of.listed = lengthen(of.listed, value + 1);
  const known = of.listed[value] || of.values.push(value);
  of.listed[value] = known;
  return known - 1;
}
