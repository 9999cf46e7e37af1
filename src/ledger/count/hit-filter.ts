import type { Day } from '../day/day.ts';
import { isPossible, type Match } from './match.ts';
import { type ColumnTest, only } from './term-filter.ts';

/** A hit passes if it meets the tests that are given: one for its page, one for its event. A missing test is always met. */
export type HitTest = { page?: ColumnTest | undefined; event?: ColumnTest | undefined };

export const PAGEVIEW = only(0);

/** Prepares a test for the codes of one day. A hit passes the test if it has all of the returned matches. */
export const makeMatches = (day: Day, { page, event }: HitTest): Match[] =>
  [page?.(day.column('page')), event?.(day.column('event'))].filter((match) => match !== undefined);

/** Gives a list with a zero for each hit of a day. The length is read from a column, because `day.totals` may not be known yet. */
export const makeZeros = (day: Day): Uint8Array => new Uint8Array(day.column('event').codes.length);

const NEVER: Match[] = [{ codes: new Uint8Array(0), code: -1 }];

function markMatches(hits: Uint8Array, [first, second]: readonly Match[]): void {
  for (let hit = 0; hit < hits.length; hit++) {
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    hits[hit] = 1;
  }
}

/** Joins several tests into one list of matches, for the codes of one day. A hit passes a test exactly if it fits each match of the list. */
export function makeMatchesOfAny(day: Day, tests: readonly HitTest[]): Match[] {
  const possible = tests.map((test) => makeMatches(day, test)).filter(isPossible);
  const always = possible.find((matches) => matches.length === 0);
  if (always || possible.length < 2) return always ?? possible[0] ?? NEVER;
  const hits = makeZeros(day);
  for (const matches of possible) markMatches(hits, matches);
  return [{ codes: hits, code: 1 }];
}
