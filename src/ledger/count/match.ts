import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A test of the rows of a column. `codes` has the code of each row, and a row passes if its code equals `code`. */
export type Match = { codes: Numbers; code: number };

/**
 * Returns 1 for equal codes, and otherwise 0. An `if` would be slower, because the processor would often predict the
 * wrong branch. Codes must be below 2^31, because the highest bit of a difference is the result.
 */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** False if no row of the day can pass. In this case, no row needs to be read. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/**
 * Returns exactly two matches, so that loops need not check their number. A single match is returned twice. Without
 * matches, every row passes.
 */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: takeZeros(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/**
 * All days share this list of zeros, which is never changed. Without a shared list, each day would allocate a byte for
 * each row.
 */
let zeros = new Uint8Array(0);

export function takeZeros(rows: number): Uint8Array {
  if (zeros.length < rows) zeros = new Uint8Array(2 * rows);
  return zeros.subarray(0, rows);
}

/**
 * A match is rare if fewer than one row in 32 passes. For a rare match, searching rows with `indexOf` is faster than a
 * loop.
 */
const RARE = 32;

/** Returns the length of the buffer that `listRareRows` needs for `rows` rows. */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * Lists the rows that pass a rare match, ascending. A match is rare if fewer than one row in 32 passes. Returns
 * undefined if the match is not rare. The decision is made only after 32 passing rows, because fewer rows do not show
 * whether a match is rare.
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
