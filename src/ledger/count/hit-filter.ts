import type { Day } from '../day/day.ts';
import { isPossible, type Match } from './match.ts';
import { type ColumnTest, only } from './term-filter.ts';

/** A hit passes if its page passes `page` and its event passes `event`. A missing test is always passed. */
export type HitTest = { page?: ColumnTest | undefined; event?: ColumnTest | undefined };

export const PAGEVIEW = only(0);

/**
 * Applies a test to the columns of one day. A hit passes the test if it fits all matches of the result. If every hit
 * fits, the result is empty.
 */
export const makeMatches = (day: Day, { page, event }: HitTest): Match[] =>
  [page?.(day.column('page')), event?.(day.column('event'))].filter((match) => match !== undefined);

/**
 * Returns a list with a zero for each hit. `day.totals` may not be counted yet, so the number of hits is read from a
 * column.
 */
export const makeZeros = (day: Day): Uint8Array => new Uint8Array(day.column('event').codes.length);

const NEVER: Match[] = [{ codes: new Uint8Array(0), code: -1 }];

function markMatches(hits: Uint8Array, [first, second]: readonly Match[]): void {
  for (let hit = 0; hit < hits.length; hit++) {
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    hits[hit] = 1;
  }
}

/**
 * Joins tests: a hit passes if it passes at least one of them, such as page /a or page /b. If the result is empty,
 * every hit passes. Without tests, no hit passes.
 */
export function makeMatchesOfAny(day: Day, tests: readonly HitTest[]): Match[] {
  const possible = tests.map((test) => makeMatches(day, test)).filter(isPossible);
  const always = possible.find((matches) => matches.length === 0);
  if (always || possible.length < 2) return always ?? possible[0] ?? NEVER;
  const hits = makeZeros(day);
  for (const matches of possible) markMatches(hits, matches);
  return [{ codes: hits, code: 1 }];
}
