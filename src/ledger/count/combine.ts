// Combines several columns of a day into one column. Visits or hits with equal values in all columns get the same
// number. A row is a list of values, such as (DE, Firefox), and each number stands for a row.
//
// Invariant: within a query, equal rows have the same number on all days. The counts of several days are therefore
// added up by this number. If a table counts visits, only selected visits add new numbers. If a table counts hits, and
// most hits of a day count, all hits of the day may add new numbers. This is faster than listing the hits that count
// (see `Counted`). If only uncounted hits have a number, the answer has no row for this number.
//
// Example: a table counts by country and browser. All visits of (DE, Firefox) get the number 0, and all visits of (DE,
// Chrome) get the number 1. table-counter.ts counts by the combined column as by any other column.
//
// All loops are in functions at the top level of the file, because V8 frees compiled inner functions between queries.
// Each query would then begin with slow, uncompiled loops.
import type { Column } from '../column/packing.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type Combinations, countCombinations, isFirst, numberLonger } from './combinations.ts';
import { takeZeros } from './match.ts';
import { type Coded, takeAll } from './pair-numbers.ts';
import { arePlain, listCodes } from './plain-codes.ts';
import { numberValues, type ValueNumbers } from './value-numbers.ts';

/**
 * A column of a day by which a table counts. `isOfHits` says whether the column has a value for each hit, or for each
 * visit.
 */
export type KeyColumn = Column & { isOfHits: boolean };

/**
 * What a table counts on a day. `visits` are the selected visits. `isOfHits` says whether the table counts hits. If it
 * does, `hits` lists the hits that count. If most hits count, `hits` is undefined, because listing them would take
 * longer. Every hit of the day then gets a number, even if it does not count.
 */
export type Counted = { visits: Selection; hits?: Selection | undefined; isOfHits: boolean };

/**
 * Combines the columns of a day into one. In `columns`, columns of visits must come before columns of hits. Just before
 * the first column of hits is added, each hit gets the row number of its visit. If a table counts hits, but all its
 * columns are of visits, each hit gets the row number of its visit after the last column.
 */
export function combineColumns(
  day: Day,
  columns: readonly KeyColumn[],
  counted: Counted,
  combinations: Combinations,
): Column {
  let rows: Coded = { codes: takeZeros(day.totals.visits), numbers: Uint32Array.of(0) };
  let isOfHits = false;
  for (const [place, column] of columns.entries()) {
    if (column.isOfHits && !isOfHits) rows = spread(day, rows, counted);
    isOfHits ||= column.isOfHits;
    rows = addColumn(rows, column, place, isOfHits ? counted.hits : counted.visits, combinations);
  }
  if (counted.isOfHits && !isOfHits) rows = spread(day, rows, counted);
  return addLargest(rows, combinations);
}

/**
 * Adds the value of one more column to the rows. `rows` says to which row of the table each visit or hit belongs.
 * Visits or hits that do not count may belong to any row, because they are not counted later.
 */
function addColumn(
  rows: Coded,
  column: KeyColumn,
  place: number,
  list: Selection | undefined,
  combinations: Combinations,
): Coded {
  // The column of a property is empty if no hit of the day has the property. Then each hit gets the code 0.
  const codes = column.codes.length > 0 ? column.codes : takeZeros(rows.codes.length);
  const own = combinations.values[place] as ValueNumbers;
  const numbers = numberValues(own, column.terms.length > 0 ? column.terms : NO_TEXT);
  const values = { codes, numbers };
  if (isFirst(combinations, place)) return values;
  const isAll = !list || list.count === codes.length;
  // If all visits or hits are numbered and the earlier columns are constant, numbering the column's values is enough.
  if (isAll && rows.numbers.length === 1) {
    const [terms, first] = [numbers.length, { codes: takeZeros(numbers.length), numbers: rows.numbers }];
    const next = { codes: listCodes(terms), numbers };
    return { codes, numbers: numberLonger(combinations, place, [first, next], takeAll(terms), new Uint32Array(terms)) };
  }
  const into = takeCodes(codes.length, place, isAll);
  const longer = numberLonger(combinations, place, [rows, values], isAll ? takeAll(codes.length) : list, into);
  return { codes: longer, numbers: listCodes(Math.max(countCombinations(combinations, place + 1), 1)) };
}

/** The dictionary of a column without values: the empty text. */
const NO_TEXT = Uint8Array.of(0);

/**
 * Returns a list for the row numbers of the visits or hits of a day. Adding a column reads the earlier row numbers, and
 * writes the new row numbers. For this reason, columns at even and odd places use different shared buffers. Visits or
 * hits that do not count get the number 0, because some loops read the whole list.
 */
function takeCodes(size: number, place: number, isAll: boolean): Uint32Array {
  const codes = sharedBuffer(place % 2 === 0 ? 'evenCodes' : 'oddCodes', size).subarray(0, size);
  return isAll ? codes : codes.fill(0);
}

/** Gives each hit the value of its visit. If few hits count, only the hits of selected visits get a value. */
function spread(day: Day, { codes, numbers }: Coded, { visits, hits }: Counted): Coded {
  const starts = findStarts(day);
  const ofHits = takeZerosOfHits(starts[day.totals.visits] as number);
  if (numbers.length === 1) return { codes: ofHits, numbers };
  if (hits) spreadSome(ofHits, codes, starts, visits);
  else spreadAll(ofHits, codes, starts, day.totals.visits);
  return { codes: new Uint32Array(ofHits.buffer, 0, ofHits.length), numbers };
}

const takeZerosOfHits = (hits: number): Int32Array =>
  new Int32Array(sharedBuffer('spread', hits).buffer, 0, hits).fill(0);

function spreadSome(
  ofHits: Int32Array,
  codes: Coded['codes'],
  starts: Uint32Array,
  { visits, count }: Selection,
): void {
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
function spreadAll(ofHits: Int32Array, codes: Coded['codes'], starts: Uint32Array, visits: number): void {
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
 * Makes a column whose `terms` are row numbers. Code that counts by a column requires that the last term is the largest
 * (`makeRoom`). But the row numbers may be unsorted. So the largest row number of all days so far is added as an extra
 * last term. No visit or hit has the code of the extra term.
 */
function addLargest({ codes, numbers }: Coded, combinations: Combinations): Column {
  if (arePlain(numbers)) return { terms: numbers, codes };
  const terms = new Uint32Array(numbers.length + 1);
  terms.set(numbers);
  terms[numbers.length] = Math.max(countCombinations(combinations) - 1, 0);
  return { terms, codes };
}
