// Numbers pairs of numbers: equal pairs have the same number. The numbers are 0, 1, 2 and so on. They are looked up in
// a grid, which has a cell for each possible pair (grid.ts). If a grid would be too large, a hash table is used.
//
// Invariant: a pair keeps its number, even if the grid grows or a hash table replaces it.
//
// Example: the pairs (3, 5), (3, 9) and (3, 5) get the numbers 0, 1 and 0. combinations.ts numbers the rows of tables
// in this way: (DE, Firefox) is a pair of the number of DE and the number of Firefox.
//
// All loops are in functions at the top level of the file, because V8 frees compiled inner functions between queries.
import type { Numbers } from '../column/packing.ts';
import { type Selection, sharedBuffer } from '../day/day.ts';
import { type Grid, growGrid, lengthen, NO_GRID, roundUp } from './grid.ts';
import { isEqual } from './match.ts';

/** A list with a dictionary: entry i of the list is `numbers[codes[i]]`. */
export type Coded = { codes: Numbers; numbers: Uint32Array };

/**
 * The pairs to number: pair i is entry i of `rows` and entry i of `values`. All numbers in `rows` are below `firsts`.
 * All numbers in `values` are below `seconds`.
 */
type Pairing = { rows: Coded; values: Coded; firsts: number; seconds: number };

/** Numbers the pairs that `counted` selects. If pair i is selected, its number is written to entry i of `into`. */
export function numberPairs(pairs: PairNumbers, pairing: Pairing, counted: Selection, into: Uint32Array): void {
  fitGrid(pairs, pairing);
  (pairs.grid ? numberInGrid : numberInTable)(pairs, pairing, counted, into);
}

/** Returns a selection of all entries of a list. */
export const takeAll = (count: number): Selection => ({ visits: ALL, count });

/** If `visits` of a selection is this empty list, the selection has all entries. */
const ALL = new Uint32Array(0);

/**
 * The number of each pair, in a grid or in a hash table. A slot of the hash table has the number of its pair plus one,
 * and the pair itself. Looking up a pair therefore reads only one place in the memory. A free slot has a 0, and at
 * least half of the slots are free. The pair with number i is `firsts[i]` and `seconds[i]`.
 */
export type PairNumbers = {
  slots: Uint32Array;
  firsts: Uint32Array;
  seconds: Uint32Array;
  count: number;
  /**
   * The grid, as long as all pairs fit into it. A cell has the number of its pair plus one, or 0 if this pair has not
   * occurred yet. While there is a grid, the hash table is empty.
   */
  grid: Grid | undefined;
};

/**
 * How many numbers a slot takes. A slot uses only three numbers. The processor reads memory in units of 64 bytes. With
 * a size of 4 numbers, no slot lies in two such units.
 */
const SLOT = 4;

/** How many pairs the lists `firsts` and `seconds` have room for at the beginning. */
const FIRST_SIZE = 1024;

export const makePairs = (): PairNumbers => ({
  slots: new Uint32Array(0),
  firsts: new Uint32Array(FIRST_SIZE),
  seconds: new Uint32Array(FIRST_SIZE),
  count: 0,
  grid: NO_GRID,
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

function numberPair(pairs: PairNumbers, first: number, second: number): number {
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
 * Numbers pairs by the grid. Most cells are far from each other in memory, so reading a cell takes long. The loop has
 * no `if`. Therefore the processor reads several cells at a time. If the grid does not have all pairs yet, `numberNew`
 * numbers the new pairs. On most days, a table with few rows has no new pairs.
 */
function numberInGrid(pairs: PairNumbers, { rows, values }: Pairing, counted: Selection, into: Uint32Array): void {
  const { cells, width } = pairs.grid as Grid;
  const { visits: list, count } = counted;
  const isAll = list === ALL;
  const cellOf = sharedBuffer('cells', count);
  let isKnown = 1;
  for (let i = 0; i < count; i++) {
    const entry = isAll ? i : (list[i] as number);
    const first = rows.numbers[rows.codes[entry] as number] as number;
    const cell = first * width + (values.numbers[values.codes[entry] as number] as number);
    const known = cells[cell] as number;
    cellOf[i] = cell;
    into[entry] = known - 1;
    isKnown &= isEqual(known, 0) ^ 1;
  }
  if (isKnown === 0) numberNew(pairs, cellOf, counted, into);
}

/**
 * Numbers the pairs without a number. Their entries in `into` are `NEW`. Several entries may have the same new pair.
 * The first of these entries adds the pair to the grid.
 */
function numberNew(pairs: PairNumbers, cellOf: Uint32Array, { visits: list, count }: Selection, into: Uint32Array) {
  const { cells, width } = pairs.grid as Grid;
  const isAll = list === ALL;
  for (let i = 0; i < count; i++) {
    const entry = isAll ? i : (list[i] as number);
    if (into[entry] !== NEW) continue;
    const cell = cellOf[i] as number;
    if (cells[cell] === 0) cells[cell] = listPair(pairs, Math.floor(cell / width), cell % width) + 1;
    into[entry] = (cells[cell] as number) - 1;
  }
}

/**
 * If a pair has no number yet, `numberInGrid` writes -1 into the list `into`. A `Uint32Array` stores -1 as 2 ** 32 - 1.
 */
const NEW = 2 ** 32 - 1;

function numberInTable(pairs: PairNumbers, { rows, values }: Pairing, counted: Selection, into: Uint32Array): void {
  const { visits: list, count } = counted;
  const isAll = list === ALL;
  for (let i = 0; i < count; i++) {
    const entry = isAll ? i : (list[i] as number);
    const first = rows.numbers[rows.codes[entry] as number] as number;
    into[entry] = numberPair(pairs, first, values.numbers[values.codes[entry] as number] as number);
  }
}

/** Makes the grid large enough for pairs of numbers below `firsts` and `seconds`, or replaces it by a hash table. */
function fitGrid(pairs: PairNumbers, { firsts, seconds }: Pairing): void {
  if (!pairs.grid) return;
  pairs.grid = growGrid(pairs.grid, firsts, seconds);
  if (!pairs.grid) fillSlots(pairs, 4 * roundUp(pairs.count + 1));
}
