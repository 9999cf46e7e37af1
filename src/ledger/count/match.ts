import type { Numbers } from '../column/packing.ts';
import type { Selection } from '../day/day.ts';

/** A row matches if it has this code in the column of these codes. */
export type Match = { codes: Numbers; code: number };

/** 1 for equal codes, else 0. Without a branch it takes a third of the time of a mispredicted one. Codes are from 0 to below 2^31. */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** False where no row can match all of these. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/** Two matches that hold where all of these do, up to two. */
export function pairMatches(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: new Uint8Array(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/** A match is rare where less than one row in so many has it. */
const RARE = 32;

/** No more of so many rows are rare. */
export const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * The rows that match, ascending, in the first `count` entries of a buffer; undefined where they are not rare. indexOf is several times
 * as fast as a loop over all rows, unless it is called again for every other one.
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
