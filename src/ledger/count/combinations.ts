// Gives a number to each distinct row of a table. Here, a row is a list of values, such as (DE, Firefox). A key is a
// column of the table, such as the country.
//
// Invariant: equal rows have the same number. The numbers are 0, 1, 2 and so on.
//
// Example: the rows (DE, Firefox), (DE, Chrome) and (DE, Firefox) get the numbers 0, 1 and 0. combine.ts numbers the
// rows of a day, and query/table-counter.ts numbers the rows of several threads.
//
// All loops are in functions at the top level of the file. V8 frees compiled inner functions between queries. With
// inner functions, each query would begin with slow, uncompiled loops.

/**
 * The numbers of all known rows. A row is stored as two numbers: one for the row without its last value, and one for
 * the last value. For example, (DE, Firefox, Linux) is stored as the number of (DE, Firefox) and the number of Linux.
 * `values[i]` has the numbers of the values of key i. `pairs[i]` has the numbers of the rows that end with key i.
 */
export type Combinations = { values: ValueNumbers[]; pairs: PairNumbers[] };

export const makeCombinations = (width: number): Combinations => ({
  values: Array.from({ length: width }, () => ({ listed: new Uint32Array(FIRST_SIZE), mapped: new Map(), values: [] })),
  pairs: Array.from({ length: width }, () => ({ ...makePairs(FIRST_SIZE), grid: NO_GRID })),
});

/** Counts the distinct rows. A table without keys has one row, so the count is 1. */
export function countCombinations({ values, pairs }: Combinations): number {
  if (values.length < 2) return values[0]?.values.length ?? 1;
  return pairs.at(-1)?.count ?? 0;
}

/** Returns the number of each row. `keys` has a list for each key, with the value of each row. */
export function numberRows(combinations: Combinations, keys: readonly ArrayLike<number>[], size: number): Uint32Array {
  const rows = new Uint32Array(size);
  for (const [place, list] of keys.entries()) {
    for (let i = 0; i < size; i++) {
      rows[i] = numberRow(combinations, place, rows[i] as number, list[i] as number);
    }
  }
  return rows;
}

/** Returns the values of rows, in one list for each key. */
export function readRows({ values, pairs }: Combinations, rows: ArrayLike<number>): Float64Array[] {
  const left = Uint32Array.from(rows);
  const keys = values.map(() => new Float64Array(rows.length));
  for (let place = values.length - 1; place >= 0; place--) {
    const list = keys[place] as Float64Array;
    if (place > 0) takeSeconds(list, left, pairs[place] as PairNumbers);
    else list.set(left);
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

const roundUp = (size: number): number => 2 ** Math.ceil(Math.log2(size));

function lengthen(list: Uint32Array, least: number): Uint32Array {
  const longer = new Uint32Array(roundUp(least));
  longer.set(list);
  return longer;
}

/**
 * The number of each pair, in a grid or in a hash table. A slot of the hash table has the number of a pair plus one,
 * and then the pair itself. Looking up a pair therefore usually reads only one slot. A free slot begins with a 0, and
 * at least half of the slots are free. The pair with number i is `firsts[i]` and `seconds[i]`.
 */
export type PairNumbers = {
  slots: Uint32Array;
  firsts: Uint32Array;
  seconds: Uint32Array;
  count: number;
  /** The grid, as long as all pairs fit into it. While there is a grid, the hash table is empty. */
  grid?: Grid | undefined;
};

/**
 * The numbers of pairs in a grid. The cell of a pair has the index `first * width + second`. The cell has the number of
 * the pair plus one, or 0 if this pair has not occurred yet. Neighbouring cells are often read together into the
 * processor's cache, so a grid is faster than a hash table.
 */
type Grid = { cells: Uint32Array; width: number };

const NO_GRID: Grid = { cells: new Uint32Array(0), width: 1 };

/**
 * How many numbers a slot takes. A slot uses only three numbers. The processor reads memory in units of 64 bytes. With
 * a size of 4 numbers, no slot lies in two such units.
 */
const SLOT = 4;

const makePairs = (size: number): PairNumbers => ({
  slots: new Uint32Array(2 * size * SLOT),
  firsts: new Uint32Array(size),
  seconds: new Uint32Array(size),
  count: 0,
});

function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 5;
}

/** Finds the slot of a pair, or the free slot for a new pair. */
function findSlot(slots: Uint32Array, first: number, second: number): number {
  const mask = slots.length - 1;
  let slot = (hash(first, second) * SLOT) & mask;
  while (slots[slot] !== 0 && (slots[slot + 1] !== first || slots[slot + 2] !== second)) slot = (slot + SLOT) & mask;
  return slot;
}

export function numberPair(pairs: PairNumbers, first: number, second: number): number {
  const slot = findSlot(pairs.slots, first, second);
  const known = pairs.slots[slot] as number;
  return known === 0 ? addPair(pairs, first, second, slot) : known - 1;
}

function addPair(pairs: PairNumbers, first: number, second: number, slot: number): number {
  // At least half of the slots must stay free. In a fuller table, finding a slot would take many steps.
  if (2 * SLOT * pairs.count >= pairs.slots.length) {
    fillSlots(pairs, (2 * pairs.slots.length) / SLOT);
    return addPair(pairs, first, second, findSlot(pairs.slots, first, second));
  }
  const number = listPair(pairs, first, second);
  fillSlot(pairs, slot, number);
  return number;
}

/** Adds a pair to the lists of pairs, and returns its number. */
function listPair(pairs: PairNumbers, first: number, second: number): number {
  const { count } = pairs;
  if (count === pairs.firsts.length) {
    pairs.firsts = lengthen(pairs.firsts, count + 1);
    pairs.seconds = lengthen(pairs.seconds, count + 1);
  }
  pairs.firsts[count] = first;
  pairs.seconds[count] = second;
  pairs.count++;
  return count;
}

function fillSlot({ slots, firsts, seconds }: PairNumbers, slot: number, number: number): void {
  slots[slot] = number + 1;
  slots[slot + 1] = firsts[number] as number;
  slots[slot + 2] = seconds[number] as number;
}

/** Makes a hash table with `slots` slots, and fills it with all pairs. */
function fillSlots(pairs: PairNumbers, slots: number): void {
  pairs.slots = new Uint32Array(slots * SLOT);
  for (let i = 0; i < pairs.count; i++) {
    fillSlot(pairs, findSlot(pairs.slots, pairs.firsts[i] as number, pairs.seconds[i] as number), i);
  }
}

/**
 * The hash table of one day. All days use this memory in turn, because new memory for each day would become garbage.
 */
let ofDay = makePairs(FIRST_SIZE);
const MOST_FIRST = 2 ** 16;

/** Returns an empty table of pairs. The table has room for `count` pairs, up to 65,536, and grows if there are more. */
export function clearPairs(count: number): PairNumbers {
  const size = roundUp(Math.min(Math.max(count, FIRST_SIZE), MOST_FIRST));
  if (ofDay.firsts.length < size) ofDay = makePairs(size);
  return { ...ofDay, slots: ofDay.slots.subarray(0, 2 * size * SLOT).fill(0), count: 0 };
}

/**
 * Returns the number of a longer row: the row with the number `before`, followed by `value`. `place` is the index of
 * the key to which `value` belongs.
 */
export function numberRow({ values, pairs }: Combinations, place: number, before: number, value: number): number {
  const number = numberValue(values[place] as ValueNumbers, value);
  return place === 0 ? number : numberInGrid(pairs[place] as PairNumbers, before, number);
}

/**
 * The largest number of cells in a grid. A grid of this size takes 16 MB. If a pair needs a larger grid, all pairs move
 * to a hash table.
 */
const MOST_CELLS = 2 ** 22;

/** Returns the number of a pair from the grid, or from the hash table that has replaced the grid. */
function numberInGrid(pairs: PairNumbers, first: number, second: number): number {
  const { grid } = pairs;
  if (!grid) return numberPair(pairs, first, second);
  const { cells, width } = grid;
  const cell = first * width + second;
  if (second >= width || cell >= cells.length) {
    pairs.grid = widenGrid(pairs, first, second);
    return numberInGrid(pairs, first, second);
  }
  const known = cells[cell] as number;
  if (known !== 0) return known - 1;
  cells[cell] = pairs.count + 1;
  return listPair(pairs, first, second);
}

/**
 * Makes a larger grid, which also has a cell for a new pair. If the grid would be too large, moves all pairs to a hash
 * table and returns undefined.
 */
function widenGrid(pairs: PairNumbers, first: number, second: number): Grid | undefined {
  const { width, cells } = pairs.grid ?? NO_GRID;
  const wide = Math.max(width, roundUp(second + 1));
  const lines = Math.max(cells.length / width, roundUp(first + 1));
  if (lines * wide > MOST_CELLS) {
    fillSlots(pairs, 4 * roundUp(pairs.count + 1));
    return undefined;
  }
  const grid = { cells: new Uint32Array(lines * wide), width: wide };
  for (let i = 0; i < pairs.count; i++) {
    grid.cells[(pairs.firsts[i] as number) * wide + (pairs.seconds[i] as number)] = i + 1;
  }
  return grid;
}
