// Combines several columns of a day into one column. Visits or hits with equal values in all columns get the same
// number.
//
// Invariant: within a query, equal values have the same number on all days. The counts of several days can therefore be
// added up by this number. Visits that do not count get no number. Hits that do not count get a number only if most
// hits count (see `Counted`). Such a number may have no row in the table.
//
// Example: a table counts by country and browser. All visits of (DE, Firefox) get the number 0, and all visits of (DE,
// Chrome) get the number 1. table-counter.ts counts by the combined column as by any other column.
//
// All loops are in functions at the top level of the file. V8 frees compiled inner functions between queries. With
// inner functions, each query would begin with slow, uncompiled loops.
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import {
  type Combinations,
  clearPairs,
  countCombinations,
  numberPair,
  numberRow,
  type PairNumbers,
} from './combinations.ts';

/**
 * A column of a day by which a table counts. `isOfHits` says whether the column has a value for each hit, or for each
 * visit.
 */
export type KeyColumn = Column & { isOfHits: boolean };

/**
 * What a table counts on a day. `visits` are the selected visits. If the table counts hits, `hits` lists the hits that
 * count. If most hits count, `hits` is undefined. In this case, every hit of the day gets a number, even if it does not
 * count. Listing the hits would take longer.
 */
export type Counted = { visits: Selection; hits?: Selection | undefined; isOfHits: boolean };

/**
 * Combines the columns of a day into one. In `columns`, columns of visits must come first. Their values are copied to
 * the hits just before the first column of hits is added.
 */
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

/**
 * A column of a day that says to which row of the table each visit or hit belongs. `rows[code]` is the number of that
 * row. Visits or hits that do not count may have any code.
 */
type Rows = { codes: Numbers; rows: Uint32Array };

function addColumn(
  combined: Rows,
  column: KeyColumn,
  place: number,
  list: Selection | undefined,
  combinations: Combinations,
): Rows {
  // The column of a property is empty if no hit of the day has the property. Each hit then gets the code 0.
  const codes = column.codes.length > 0 ? column.codes : new Uint8Array(combined.codes.length);
  if (place === 0 && combinations.values.length > 1) {
    return { codes, rows: numberTerms(column.terms, combinations) };
  }
  const counted = list ?? { visits: ALL_ROWS, count: codes.length };
  const width = Math.max(column.terms.length, 1);
  if (width === 1 && counted.count === codes.length) {
    return { ...combined, rows: combined.rows.map((row) => numberRow(combinations, place, row, column.terms[0] ?? 0)) };
  }
  const most = combined.rows.length * width;
  const work = { first: combined.codes, second: codes, counted, width, most, place };
  const { pairs, codes: paired } = choosePairing(work)(work);
  return { codes: paired, rows: numberPairs(combined.rows, column.terms, pairs, place, combinations) };
}

/** Returns the number of each term of the first column. At this point, each row of the table has only one value. */
function numberTerms(terms: Numbers, combinations: Combinations): Uint32Array {
  const rows = new Uint32Array(terms.length);
  for (let code = 0; code < rows.length; code++) rows[code] = numberRow(combinations, 0, 0, terms[code] as number);
  return rows;
}

/**
 * Two columns to combine, and the visits or hits that count. `width` is how many codes the second column may have.
 * `most` is how many pairs of codes are possible. `place` is the index of the second column's key.
 */
type Pairing = { first: Numbers; second: Numbers; counted: Selection; width: number; most: number; place: number };

type Paired = { pairs: Omit<PairNumbers, 'slots'>; codes: Uint32Array };

function choosePairing({ most, counted: { count } }: Pairing): (work: Pairing) => Paired {
  if (most <= MOST_MARKED) return markPairs;
  return most <= Math.max(LEAST_LISTED, LISTED_PER_ROW * count) ? listPairs : hashPairs;
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

/**
 * `listPairs` clears a list with an entry for each possible pair of codes. Clearing a long list takes long. So
 * `listPairs` is used up to 65,536 possible pairs. With many visits or hits, `listPairs` is used up to 8 possible pairs
 * for each visit or hit. Above these limits, `hashPairs` is used.
 */
const LEAST_LISTED = 2 ** 16;
const LISTED_PER_ROW = 8;

/** A list that stands for all visits or hits of the day. The list itself is empty. */
const ALL_ROWS = new Uint32Array(0);

/**
 * `markPairs` is used if there are at most this many possible pairs of codes. The function has two loops. The first
 * loop notes which pairs occur on the day, and the second loop gives codes to these pairs.
 */
const MOST_MARKED = 2 ** 14;

/**
 * Assigns a code to each pair of codes. The loops have no `if`, so they take half as long as the loop of `listPairs`.
 */
function markPairs(work: Pairing): Paired {
  const { first, second, counted, width, most } = work;
  const { visits: list, count } = counted;
  const isAll = list === ALL_ROWS;
  const codes = takeCodes(work);
  const marks = sharedBuffer('pairs', most).fill(0, 0, most);
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    const pair = (first[row] as number) * width + (second[row] as number);
    codes[row] = pair;
    marks[pair] = 1;
  }
  const pairs = takeMarked(marks, width, most);
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    codes[row] = marks[codes[row] as number] as number;
  }
  return { pairs, codes };
}

/** Lists the pairs that occur, which have a 1 in `marks`. Replaces each 1 by the code of its pair. */
function takeMarked(marks: Uint32Array, width: number, most: number): Omit<PairNumbers, 'slots'> {
  const pairs = { firsts: new Uint32Array(most), seconds: new Uint32Array(most), count: 0 };
  for (let pair = 0; pair < most; pair++) {
    if (marks[pair] === 0) continue;
    pairs.firsts[pairs.count] = pair / width;
    pairs.seconds[pairs.count] = pair % width;
    marks[pair] = pairs.count++;
  }
  return pairs;
}

/** Gives a code to each pair of codes, in the order in which the pairs are found. */
function listPairs(work: Pairing): Paired {
  const { first, second, counted, width, most } = work;
  const { visits: list, count } = counted;
  const isAll = list === ALL_ROWS;
  const codes = takeCodes(work);
  const places = sharedBuffer('pairs', most).fill(0, 0, most);
  const size = Math.min(count, most);
  const pairs = { firsts: new Uint32Array(size), seconds: new Uint32Array(size), count: 0 };
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    const pair = (first[row] as number) * width + (second[row] as number);
    let code = places[pair] as number;
    if (code === 0) {
      pairs.firsts[pairs.count] = first[row] as number;
      pairs.seconds[pairs.count] = second[row] as number;
      code = ++pairs.count;
      places[pair] = code;
    }
    codes[row] = code - 1;
  }
  return { pairs, codes };
}

function hashPairs(work: Pairing): Paired {
  const { first, second, counted } = work;
  const { visits: list, count } = counted;
  const isAll = list === ALL_ROWS;
  const codes = takeCodes(work);
  const pairs = clearPairs(count);
  for (let i = 0; i < count; i++) {
    const row = isAll ? i : (list[i] as number);
    codes[row] = numberPair(pairs, first[row] as number, second[row] as number);
  }
  return { pairs, codes };
}

/**
 * Returns a list for the codes of the pairs. Two shared buffers take turns, because the codes of the previous key are
 * read while the new codes are written. Visits or hits that do not count get the code 0, because some loops also read
 * their codes.
 */
function takeCodes({ first, counted, place }: Pairing): Uint32Array {
  const rows = first.length;
  const codes = sharedBuffer(place % 2 === 0 ? 'evenCodes' : 'oddCodes', rows).subarray(0, rows);
  return counted.count < rows ? codes.fill(0) : codes;
}

/**
 * Gives each hit the value of its visit. If `hits` lists the hits that count, only the hits of selected visits get a
 * value.
 */
function spread(day: Day, { codes, rows }: Rows, { visits, hits }: Counted): Rows {
  const starts = findStarts(day);
  const ofHits = takeZerosOfHits(starts[day.totals.visits] as number);
  if (rows.length === 1) return { codes: ofHits, rows };
  if (hits) spreadSome(ofHits, codes, starts, visits);
  else spreadAll(ofHits, codes, starts, day.totals.visits);
  return { codes: ofHits, rows };
}

const takeZerosOfHits = (hits: number): Int32Array =>
  new Int32Array(sharedBuffer('spread', hits).buffer, 0, hits).fill(0);

function spreadSome(ofHits: Int32Array, codes: Numbers, starts: Uint32Array, { visits, count }: Selection): void {
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const code = codes[visit] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) ofHits[hit] = code;
  }
}

/**
 * Gives each hit the value of its visit, without a loop for each visit. First, each visit's first hit gets a
 * difference: the visit's value minus the value of the previous visit. Then one loop adds up the differences. Short
 * loops for each visit would take three times as long.
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

/**
 * Adds the largest known number as the last term, because counting expects that the last term is the largest. No visit
 * or hit of this day needs to have this number.
 */
function addLargest({ codes, rows }: Rows, combinations: Combinations): Column {
  const terms = new Uint32Array(rows.length + 1);
  terms.set(rows);
  terms[rows.length] = Math.max(countCombinations(combinations) - 1, 0);
  return { terms, codes };
}
