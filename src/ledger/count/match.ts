import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A row matches if it has this code in the column with these codes. */
export type Match = { codes: Numbers; code: number };

/**
 * Gives 1 for equal codes, else 0. Without a branch, this takes a third of the time of a branch that is guessed wrong. Codes are below
 * 2^31.
 */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** False if no row can match all of these. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/** Gives two matches that hold where all of up to two matches hold. */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: new Uint8Array(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/** A match is rare if less than one row in so many has it. */
const RARE = 32;

/** The largest number of rows that are still rare. */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * Lists the rows that match, ascending, in the first `count` entries of a buffer. Gives undefined if they are not rare. `indexOf` is
 * several times as fast as a loop, unless matches are near each other.
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
