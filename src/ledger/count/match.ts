import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A row passes if its entry in `codes` equals `code`. */
export type Match = { codes: Numbers; code: number };

/**
 * Returns 1 for equal codes, else 0. An `if` would be slower, because the processor often predicts it wrong. Codes must
 * be below 2^31.
 */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** Returns false if no row of the day can pass. Then no row needs to be read. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/**
 * Returns exactly two matches, so that loops need not ask how many there are. A single match is returned twice. Without
 * matches, every row passes.
 */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: takeZeros(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/**
 * The codes of a match are never changed, so all days share these zeros. Otherwise each day would allocate a byte per
 * row.
 */
let zeros = new Uint8Array(0);

function takeZeros(rows: number): Uint8Array {
  if (zeros.length < rows) zeros = new Uint8Array(2 * rows);
  return zeros.subarray(0, rows);
}

/** A match is rare if fewer than one row in 32 passes. Then searching rows with `indexOf` is faster than a loop. */
const RARE = 32;

/** The length of the buffer that `listRareRows` needs for `rows` rows. */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * Lists the rows that pass a rare match, ascending. Returns undefined if the match is not rare. The first 32 passing
 * rows are always listed, because the first rows do not show whether a match is rare.
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
