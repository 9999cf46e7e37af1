// Stores hits as records of fixed size. The visitor and the packed web vitals take 8 bytes each. The day, the second,
// each text, the visible seconds of the page and its depth take 4 bytes each. A text is stored as its number in a list
// of texts.
//
// The spool (spool.ts) writes blocks of records to a temporary file, and reads them day by day.

import type { ImportedRows } from '../../engine/import-content.ts';
import { TEXT_FIELDS } from '../../stats/dimensions.ts';

const VITALS = 1;
const DAY = 4;
const SECOND = 5;
const FIRST_WORD = SECOND + 1;
const ENGAGED = FIRST_WORD + TEXT_FIELDS.length;
const SCROLL = ENGAGED + 1;
const DOUBLES = Math.ceil((SCROLL + 1) / 2);
const INTS = DOUBLES * 2;
export const RECORD_BYTES = DOUBLES * 8;

/**
 * Memory for some records. `ints` and `doubles` are typed arrays on the same bytes. A visitor code has 53 bits. It is
 * stored as a double, because the integers here have only 32 bits.
 */
export type Block = ReturnType<typeof block>;
export function block(records: number) {
  const bytes = new Uint8Array(records * RECORD_BYTES);
  return { bytes, ints: new Int32Array(bytes.buffer), doubles: new Float64Array(bytes.buffer) };
}

type Record = {
  day: number;
  second: number;
  visitor: number;
  engaged: number;
  scroll: number;
  vitals: number;
  words: readonly number[];
};

export function putRecord(
  { ints, doubles }: Block,
  at: number,
  { day, second, visitor, engaged, scroll, vitals, words }: Record,
): void {
  const from = at * INTS;
  doubles[at * DOUBLES] = visitor;
  doubles[at * DOUBLES + VITALS] = vitals;
  ints[from + DAY] = day;
  ints[from + SECOND] = second;
  for (let w = 0; w < TEXT_FIELDS.length; w++) ints[from + FIRST_WORD + w] = words[w] as number;
  ints[from + ENGAGED] = engaged;
  ints[from + SCROLL] = scroll;
}

export const dayAt = ({ ints }: Block, at: number): number => ints[at * INTS + DAY] as number;

export function copyRecord(from: Block, i: number, to: Block, j: number): void {
  for (let n = 0; n < INTS; n++) to.ints[j * INTS + n] = from.ints[i * INTS + n] as number;
}

/**
 * Copies the first `records` records of a block into the columns of a day. The first record becomes row `row` of the
 * columns.
 */
export function fillRows(rows: ImportedRows, row: number, { ints, doubles }: Block, records: number): void {
  const columns = [rows.second, ...TEXT_FIELDS.map((word) => rows.terms[word]), rows.engaged, rows.scroll];
  for (let i = 0; i < records; i++) {
    rows.visitor[row + i] = doubles[i * DOUBLES] as number;
    rows.vitals[row + i] = doubles[i * DOUBLES + VITALS] as number;
  }
  for (const [c, column] of columns.entries()) {
    for (let i = 0; i < records; i++) column[row + i] = ints[i * INTS + SECOND + c] as number;
  }
}
