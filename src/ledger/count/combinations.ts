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
import { type Column, makeNumbers, type Numbers, narrow } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';
import { type Grid, listFilled } from './grid.ts';
import { takeZeros } from './match.ts';
import { type Coded, makePairs, numberPairs, type PairNumbers, takeAll } from './pair-numbers.ts';
import { listCodes } from './plain-codes.ts';
import { makeValues, numberValues, type ValueNumbers } from './value-numbers.ts';

/**
 * The numbers of all known rows. A row is built value by value: (DE), then (DE, Firefox). Each longer row is stored as
 * a pair: the number of the shorter row, and the number of the value that was added. `values[i]` numbers the values of
 * key i. `pairs[i]` numbers the rows that end with a value of key i. In a table with several keys, `pairs[0]` is not
 * used: the row (DE) has the same number as the value DE.
 */
export type Combinations = { values: ValueNumbers[]; pairs: PairNumbers[] };

export const makeCombinations = (width: number): Combinations => ({
  values: Array.from({ length: width }, makeValues),
  pairs: Array.from({ length: width }, makePairs),
});

/**
 * Counts the distinct rows, or the distinct rows of only the first `width` keys. If `width` is 0, all rows are empty
 * and therefore equal, so the count is 1.
 */
export function countCombinations(combinations: Combinations, width = combinations.values.length): number {
  if (width === 0) return 1;
  const { values, pairs } = combinations;
  return isFirst(combinations, width - 1)
    ? (values[0] as ValueNumbers).values.length
    : (pairs[width - 1] as PairNumbers).count;
}

/** Returns the number of each row. `keys` has a column for each key, with the value of each row. */
export function numberRows(combinations: Combinations, keys: readonly Column[], size: number): Uint32Array {
  let rows: Coded = { codes: takeZeros(size), numbers: Uint32Array.of(0) };
  for (const [place, { terms, codes }] of keys.entries()) {
    const values = { codes, numbers: numberValues(combinations.values[place] as ValueNumbers, terms) };
    if (isFirst(combinations, place)) rows = values;
    else {
      const longer = numberLonger(combinations, place, [rows, values], takeAll(size), new Uint32Array(size));
      rows = { codes: longer, numbers: listCodes(countCombinations(combinations, place + 1)) };
    }
  }
  return rows.codes as Uint32Array;
}

/**
 * True for the first of several keys. A row is built value by value: (DE), then (DE, Firefox). The row (DE) has the
 * same number as the value DE, so it is not numbered separately.
 */
export const isFirst = ({ values }: Combinations, place: number): boolean => place === 0 && values.length > 1;

/**
 * Returns the numbers of longer rows. Each entry of `rows` is the number of a row with the values of the first `place`
 * keys. The same entry of `values` is the number of the row's next value. Only the entries in `counted` are numbered.
 * The numbers are written into the list `into`.
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
 * Lists the numbers of all rows. The numbers may be stored in a grid, a list with a cell for each possible row
 * (grid.ts). In this case, they are listed in the order of the cells. When the rows of several threads are added up,
 * they are numbered again, with a new grid. In this order, consecutive rows have cells that are close to each other, so
 * numbering is faster.
 */
export function listNumbers(combinations: Combinations): Uint32Array {
  const { pairs } = combinations;
  const grid = pairs.at(-1)?.grid;
  if (!grid) return listCodes(countCombinations(combinations));
  return takeNumbers(listFilled(grid, countCombinations(combinations, pairs.length - 1)), grid);
}

function takeNumbers(numbers: Uint32Array, { cells }: Grid): Uint32Array {
  for (let i = 0; i < numbers.length; i++) numbers[i] = (cells[numbers[i] as number] as number) - 1;
  return numbers;
}

/** Returns the values of rows, in one column for each key. */
export function readRows({ values, pairs }: Combinations, rows: Uint32Array): Column[] {
  const left = rows.slice();
  const keys: Column[] = [];
  for (let place = values.length - 1; place >= 0; place--) {
    const own = values[place] as ValueNumbers;
    const codes = makeNumbers(rows.length, own.values.length);
    if (isFirst({ values, pairs }, place)) codes.set(left);
    else takeSeconds(codes, left, pairs[place] as PairNumbers);
    keys[place] = { terms: narrow(own.values), codes };
  }
  return keys;
}

function takeSeconds(codes: Numbers, left: Uint32Array, { firsts, seconds }: PairNumbers): void {
  for (let i = 0; i < left.length; i++) {
    const pair = left[i] as number;
    codes[i] = seconds[pair] as number;
    left[i] = firsts[pair] as number;
  }
}
