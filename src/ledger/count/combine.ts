// Combines several columns of a day into one: rows with equal values in all columns get the same number.
//
// Invariant: over all days of a query, equal values have one number. So counts of days add up by this number. Only
// counted visits or hits get numbers, so the numbers say how many rows a table has.
//
// Example: by country and browser, the first visit of (DE, Firefox) gets the number 0, and all others of the pair too.
// The number of (DE, Chrome) is 1. table-counter.ts counts by the combined column as by any other.
//
// Loops are in functions at the top level of the file. V8 frees the compiled code of inner functions between queries.
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';

/** A column of a table, and whether it has a value for each visit or for each hit. */
export type KeyColumn = Column & { isOfHits: boolean };

/**
 * What a table counts on a day. `visits` has the selected visits. If hits are counted, `hits` has those that count, or
 * is undefined if most hits do. Then all hits get numbers, which is faster than listing the hits.
 */
export type Counted = { visits: Selection; hits?: Selection | undefined; isOfHits: boolean };

/** Combines the columns of a day. Columns of visits come first. */
export function combineColumns(
  day: Day,
  columns: readonly KeyColumn[],
  counted: Counted,
  combinations: Combinations,
): Column {
  let combined: Rows = { codes: new Uint8Array(day.totals.visits), rows: Uint32Array.of(0) };
  let isOfHits = false;
  for (const [place, column] of columns.entries()) {
    if (column.isOfHits && !isOfHits) combined = spread(day, combined, counted);
    isOfHits ||= column.isOfHits;
    combined = addColumn(combined, column, place, isOfHits ? counted.hits : counted.visits, combinations);
  }
  if (counted.isOfHits && !isOfHits) combined = spread(day, combined, counted);
  return addLargest(combined, combinations);
}

/** Gives numbers to rows of values. A row of two values is a pair: the number of its first value, and the second. */
export type Combinations = { values: ValueNumbers[]; pairs: PairNumbers[] };

export const makeCombinations = (width: number): Combinations => ({
  values: Array.from({ length: width }, () => ({ listed: new Uint32Array(FIRST_SIZE), mapped: new Map(), values: [] })),
  pairs: Array.from({ length: width }, () => makePairs(FIRST_SIZE)),
});

/** How many different rows there are. Without columns, there is one. */
export function countCombinations({ values, pairs }: Combinations): number {
  if (values.length < 2) return values[0]?.values.length ?? 1;
  return pairs.at(-1)?.count ?? 0;
}

/** Gives each row its number. `keys` has a list for each place. */
export function numberRows(combinations: Combinations, keys: readonly ArrayLike<number>[], size: number): Uint32Array {
  const rows = new Uint32Array(size);
  for (const [place, list] of keys.entries()) {
    for (let i = 0; i < size; i++) {
      rows[i] = numberRow(combinations, place, rows[i] as number, list[i] as number);
    }
  }
  return rows;
}

/** Lists the values of rows, for each place. */
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

/** The number of each value, plus one. Values that are small enough are in a list, and others in a map. */
type ValueNumbers = { listed: Uint32Array; mapped: Map<number, number>; values: number[] };

/** Hours are seconds since 1970, and too large for a list. */
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

function lengthen(list: Uint32Array, least: number): Uint32Array {
  const longer = new Uint32Array(2 ** Math.ceil(Math.log2(least)));
  longer.set(list);
  return longer;
}

/**
 * The number of each pair, in a hash table. A slot has the number of its pair plus one, and the pair. So looking up a
 * pair reads one place of the memory. At least half of the slots are free. `firsts` and `seconds` list the pairs.
 */
type PairNumbers = { slots: Uint32Array; firsts: Uint32Array; seconds: Uint32Array; count: number };

/** A slot has three numbers, and is 4 long so that it lies in one line of the processor's cache. */
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

/** Finds the slot of a pair, or the free slot where it belongs. */
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
  const { count } = pairs;
  // At least half of the slots must stay free.
  if (2 * SLOT * count >= pairs.slots.length) {
    growPairs(pairs);
    return addPair(pairs, first, second, findSlot(pairs.slots, first, second));
  }
  pairs.firsts[count] = first;
  pairs.seconds[count] = second;
  pairs.count++;
  fillSlot(pairs, slot, count);
  return count;
}

function fillSlot({ slots, firsts, seconds }: PairNumbers, slot: number, number: number): void {
  slots[slot] = number + 1;
  slots[slot + 1] = firsts[number] as number;
  slots[slot + 2] = seconds[number] as number;
}

function growPairs(pairs: PairNumbers): void {
  const size = pairs.slots.length / SLOT;
  if (pairs.firsts.length < size) {
    pairs.firsts = lengthen(pairs.firsts, size);
    pairs.seconds = lengthen(pairs.seconds, size);
  }
  pairs.slots = new Uint32Array(2 * size * SLOT);
  for (let i = 0; i < pairs.count; i++) {
    fillSlot(pairs, findSlot(pairs.slots, pairs.firsts[i] as number, pairs.seconds[i] as number), i);
  }
}

/** The pairs of one day. The slots of earlier days are used again, because new ones would become garbage each day. */
let ofDay = makePairs(FIRST_SIZE);
const MOST_FIRST = 2 ** 16;

/** Gives an empty table for up to `count` pairs. It grows if there are more than 65,536. */
function clearPairs(count: number): PairNumbers {
  const size = 2 ** Math.ceil(Math.log2(Math.min(Math.max(count, FIRST_SIZE), MOST_FIRST)));
  if (ofDay.firsts.length < size) ofDay = makePairs(size);
  return { ...ofDay, slots: ofDay.slots.subarray(0, 2 * size * SLOT).fill(0), count: 0 };
}

/** Gives the number of a row that is one value longer than the row `before`. */
function numberRow({ values, pairs }: Combinations, place: number, before: number, value: number): number {
  const number = numberValue(values[place] as ValueNumbers, value);
  return place === 0 ? number : numberPair(pairs[place] as PairNumbers, before, number);
}

/** A column of a day whose values are numbers of rows. Rows that are not counted may have any code. */
type Rows = { codes: Numbers; rows: Uint32Array };

function addColumn(
  combined: Rows,
  column: KeyColumn,
  place: number,
  list: Selection | undefined,
  combinations: Combinations,
): Rows {
  // A column without rows has only the code 0: no hit of the day has the property.
  const codes = column.codes.length > 0 ? column.codes : new Uint8Array(combined.codes.length);
  if (place === 0 && combinations.values.length > 1) {
    return { codes, rows: Uint32Array.from(column.terms, (term) => numberRow(combinations, 0, 0, term)) };
  }
  const most = combined.rows.length * Math.max(column.terms.length, 1);
  const counted = list ?? { visits: ALL_ROWS, count: codes.length };
  const { pairs, codes: paired } =
    most <= Math.max(LEAST_LISTED, LISTED_PER_ROW * counted.count)
      ? listPairs(combined.codes, codes, counted, { width: column.terms.length, most })
      : hashPairs(combined.codes, codes, counted);
  return { codes: paired, rows: numberPairs(combined.rows, column.terms, pairs, place, combinations) };
}

function numberPairs(
  before: Uint32Array,
  terms: Numbers,
  { firsts, seconds, count }: Omit<PairNumbers, 'slots'>,
  place: number,
  combinations: Combinations,
): Uint32Array {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const value = terms[seconds[i] as number] ?? 0;
    rows[i] = numberRow(combinations, place, before[firsts[i] as number] as number, value);
  }
  return rows;
}

/** Up to this many combinations of two codes, a list says which of them a day has. Clearing a longer list takes long. */
const LEAST_LISTED = 2 ** 16;
const LISTED_PER_ROW = 8;

/** An empty list of rows stands for all rows. */
const ALL_ROWS = new Uint32Array(0);

/** Gives each pair of codes a code of its own, in the order in which pairs come. */
function listPairs(
  first: Numbers,
  second: Numbers,
  { visits: list, count }: Selection,
  { width, most }: { width: number; most: number },
) {
  const isAll = list === ALL_ROWS;
  const codes = new Uint32Array(first.length);
  const places = sharedBuffer('pairs', most).fill(0, 0, most);
  const size = Math.min(count, most);
  const pairs = { firsts: new Uint32Array(size), seconds: new Uint32Array(size), count: 0 };
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    const pair = (first[row] as number) * width + (second[row] as number);
    let place = places[pair] as number;
    if (place === 0) {
      pairs.firsts[pairs.count] = first[row] as number;
      pairs.seconds[pairs.count] = second[row] as number;
      place = ++pairs.count;
      places[pair] = place;
    }
    codes[row] = place - 1;
  }
  return { pairs, codes };
}

function hashPairs(first: Numbers, second: Numbers, { visits: list, count }: Selection) {
  const isAll = list === ALL_ROWS;
  const codes = new Uint32Array(first.length);
  const pairs = clearPairs(count);
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    codes[row] = numberPair(pairs, first[row] as number, second[row] as number);
  }
  return { pairs, codes };
}

/** Gives each hit the value of its visit. If few hits count, only hits of the selected visits get one. */
function spread(day: Day, { codes, rows }: Rows, { visits, hits }: Counted): Rows {
  const starts = findStarts(day);
  const ofHits = new Int32Array(starts[day.totals.visits] as number);
  if (rows.length === 1) return { codes: ofHits, rows };
  if (hits) spreadSome(ofHits, codes, starts, visits);
  else spreadAll(ofHits, codes, starts, day.totals.visits);
  return { codes: ofHits, rows };
}

function spreadSome(ofHits: Int32Array, codes: Numbers, starts: Uint32Array, { visits, count }: Selection): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const code = codes[visit] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) ofHits[hit] = code;
  }
}

/**
 * The list first has, at the first hit of each visit, the difference to the value before. One loop adds up the
 * differences. A short loop for each visit would take three times as long.
 */
function spreadAll(ofHits: Int32Array, codes: Numbers, starts: Uint32Array, visits: number): void {
  let before = 0;
  for (let visit = 0; visit < visits; visit++) {
    const code = codes[visit] as number;
    ofHits[starts[visit] as number] = code - before;
    before = code;
  }
  let sum = 0;
  for (let hit = 0; hit < ofHits.length; hit++) {
    sum = (sum + (ofHits[hit] as number)) | 0;
    ofHits[hit] = sum;
  }
}

/** Counting takes the last term as the largest. So the largest number comes last, as a term that no row has. */
function addLargest({ codes, rows }: Rows, combinations: Combinations): Column {
  const terms = new Uint32Array(rows.length + 1);
  terms.set(rows);
  terms[rows.length] = Math.max(countCombinations(combinations) - 1, 0);
  return { terms, codes };
}
