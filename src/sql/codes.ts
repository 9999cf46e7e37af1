// Columns that have a code for each row in place of a value, and columns that combine two others. grouped.ts groups
// rows with these columns.
//
// Invariant: codes are small numbers that are valid within one table of a day. Numbers are valid within a whole
// statement: a value, or a pair of values, has the same number on all days.
//
// Example: a day has the countries DE and FR, with the numbers 4 and 7. So `numbers` is [4, 7], and the codes are [0,
// 1, 0]. If the column is combined with the devices, each pair of a country and a device has a code and a number.

import type { SqlValue } from './tables.ts';

export type Codes = ArrayLike<number>;
export type Coded = { codes: Codes; numbers: Codes };

/** A list of distinct values. The number of a value is its index in the list. */
export type Numbering<Value> = { values: Value[]; find(value: Value): number };

export function makeNumbering<Value extends SqlValue | bigint>(): Numbering<Value> {
  const known = new Map<Value, number>();
  const values: Value[] = [];
  return {
    values,
    find(value) {
      const number = known.get(value);
      if (number !== undefined) return number;
      if (values.length === MOST_VALUES) throw new TooMany();
      known.set(value, values.length);
      return values.push(value) - 1;
    },
  };
}

/**
 * The most distinct values or pairs in one list. A statement that needs a longer list is answered from rows, because
 * the list would take too much memory.
 */
const MOST_VALUES = 2 ** 21;
export class TooMany extends Error {}

/** A list of distinct pairs of numbers. The number of a pair is its index in the lists. */
export type Pairs = { firsts: number[]; seconds: number[]; find(first: number, second: number): number };

/** Numbers pairs with a hash table, because a map with pairs takes several times as long. */
export function makePairs(): Pairs {
  const [firsts, seconds]: [number[], number[]] = [[], []];
  // A free slot of the hash table is 0. Any other has the number of its pair, plus one. At least half are free.
  let slots = new Uint32Array(1024);
  const findSlot = (first: number, second: number): number => {
    let slot = hash(first, second) & (slots.length - 1);
    for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
      if (firsts[known - 1] === first && seconds[known - 1] === second) break;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  function grow(): void {
    slots = new Uint32Array(2 * slots.length);
    for (const [i, first] of firsts.entries()) slots[findSlot(first, seconds[i] as number)] = i + 1;
  }
  return {
    firsts,
    seconds,
    find(first, second) {
      const slot = findSlot(first, second);
      const known = slots[slot] as number;
      if (known > 0) return known - 1;
      if (firsts.length === MOST_VALUES) throw new TooMany();
      seconds.push(second);
      slots[slot] = firsts.push(first);
      if (2 * firsts.length > slots.length) grow();
      return firsts.length - 1;
    },
  };
}

function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 5;
}

/** Computes something for each number of a list. */
export function mapNumbers<Result>(numbers: Codes, compute: (number: number) => Result): Result[] {
  const results: Result[] = [];
  for (let i = 0; i < numbers.length; i++) results.push(compute(numbers[i] as number));
  return results;
}

/**
 * Gives each row the code of its value. The codes of small whole numbers are in a list, because a map takes five times
 * as long.
 */
export function encode(read: (row: number) => SqlValue, rows: number): { values: SqlValue[]; codes: Uint32Array } {
  const { values, find } = makeNumbering<SqlValue>();
  const codes = new Uint32Array(rows);
  const small = new Uint32Array(SMALL);
  for (let row = 0; row < rows; row++) {
    const value = read(row);
    const isSmall = typeof value === 'number' && value >= 0 && value < SMALL && value === Math.trunc(value);
    const known = isSmall ? (small[value] as number) : 0;
    const code = known > 0 ? known - 1 : find(value);
    if (isSmall) small[value] = code + 1;
    codes[row] = code;
  }
  return { values, codes };
}

const SMALL = 4096;

/** Repeats the code of each visit for its hits. */
export function repeat(codes: Codes, starts: Codes): Uint32Array {
  const repeated = new Uint32Array(starts[starts.length - 1] as number);
  for (let visit = 0; visit < starts.length - 1; visit++) {
    const code = codes[visit] as number;
    for (let hit = starts[visit] as number; hit < (starts[visit + 1] as number); hit++) repeated[hit] = code;
  }
  return repeated;
}

export function take(codes: Codes, rows: Uint32Array | undefined): Codes {
  if (!rows) return codes;
  const taken = new Uint32Array(rows.length);
  for (let i = 0; i < taken.length; i++) taken[i] = codes[rows[i] as number] as number;
  return taken;
}

/** Combines two columns into one. Its codes stand for pairs of values, and `pairs` numbers these pairs. */
export function combine(first: Coded, second: Coded, rows: number, pairs: Pairs): Coded {
  const [one, other] = [first.numbers[0] as number, second.numbers[0] as number];
  if (isConstant(second))
    return { codes: first.codes, numbers: mapNumbers(first.numbers, (number) => pairs.find(number, other)) };
  if (isConstant(first))
    return { codes: second.codes, numbers: mapNumbers(second.numbers, (number) => pairs.find(one, number)) };
  const width = second.numbers.length;
  const { codes, cells } = listPairs(first.codes, second.codes, width, { rows, cells: first.numbers.length * width });
  const findPair = (cell: number): number =>
    pairs.find(first.numbers[Math.floor(cell / width)] as number, second.numbers[cell % width] as number);
  return { codes, numbers: mapNumbers(cells, findPair) };
}

const isConstant = ({ numbers }: Coded): boolean => numbers.length === 1;

/** The largest table of pairs, which is 16 MB. For more pairs, a map is used, which is slower. */
const MOST_CELLS = 2 ** 22;
let table = new Uint32Array(0);

function listPairs(first: Codes, second: Codes, width: number, { rows, cells: all }: { rows: number; cells: number }) {
  const codes = new Uint32Array(rows);
  const cells: number[] = [];
  if (all > MOST_CELLS) {
    const { values, find } = makeNumbering<number>();
    for (let row = 0; row < rows; row++) codes[row] = find((first[row] as number) * width + (second[row] as number));
    return { codes, cells: values };
  }
  if (table.length < all) table = new Uint32Array(all);
  table.fill(0, 0, all);
  for (let row = 0; row < rows; row++) {
    const cell = (first[row] as number) * width + (second[row] as number);
    // The table has the code plus one. A zero says that the pair is new.
    if (table[cell] === 0) table[cell] = cells.push(cell);
    codes[row] = (table[cell] as number) - 1;
  }
  return { codes, cells };
}
