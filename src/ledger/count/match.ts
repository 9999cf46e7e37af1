import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A test on the rows of a column. A row passes if its entry in `codes` equals `code`. */
export type Match = { codes: Numbers; code: number };

/**
 * Gives 1 for equal codes, else 0. There is no `if`: a processor guesses how an `if` turns out, and with wrong guesses
 * loops take three times as long. Codes must be below 2^31.
 */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/**
 * False if one of the tests is passed by no row of the day. The `code` of this test is -1. Then the caller knows the
 * result without reading a row.
 */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/**
 * Gives exactly two tests, so that loops need not ask how many tests there are. A single test is given twice. Without
 * any test, the result is a test that every row passes.
 */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: new Uint8Array(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/**
 * A test is rare if fewer than one row in 32 passes it. Then the passing rows are searched with `indexOf`, which is
 * faster than a loop.
 */
const RARE = 32;

/**
 * The length of the buffer that `listRareRows` needs for a column with `rows` rows. `listRareRows` stops when more than
 * one row in 32 has passed, but not before 32 rows have passed. Without these first 32, a rare test would fail if the
 * first row passes it.
 */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * Lists the rows that pass a test, if fewer than one row in 32 passes it. Otherwise gives undefined. The row numbers
 * are written into `rows`, ascending, and `count` of the result says how many. For rows that are far from each other,
 * `indexOf` is several times as fast as a loop.
 */
export function listRareRows({ codes, code }: Match, rows: Uint32Array): Selection | undefined {
  let count = 0;
  let from = 0;
  for (let row = codes.indexOf(code); row >= 0; row = codes.indexOf(code, from)) {
    rows[count++] = row;
    from = row + 1;
    if (count >= RARE && count * RARE > from) return undefined;
  }
  return { visits: rows, count };
}
