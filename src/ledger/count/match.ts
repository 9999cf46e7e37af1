import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A row matches if `codes` has `code` for this row. */
export type Match = { codes: Numbers; code: number };

/**
 * Gives 1 for equal codes, else 0. There is no `if`, because an `if` whose outcome the processor guesses wrong takes three times as long.
 * Codes must be below 2^31.
 */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** False if one of the matches fits no row of the day. The code of such a match is -1. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/**
 * Always gives two matches, so that loops need not ask how many there are. A missing second match repeats the first. Without any match,
 * every row matches.
 */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: new Uint8Array(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/** A match is rare if fewer than one row in 32 has it. */
const RARE = 32;

/** The length that a buffer for `listRareRows` needs, for a column with `rows` rows. */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * Writes the numbers of the matching rows into `rows`, in ascending order. `count` of the result is how many rows match. Gives undefined if
 * the match is not rare. `indexOf` is several times as fast as a loop, if the matching rows are far from each other.
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
