import type { Day } from '../day/day.ts';
import { isPossible, type Match } from './match.ts';
import { type ColumnTest, only } from './term-filter.ts';

/** What a hit must be: on one of some pages, or one of some events, or both. */
export type HitTest = { page?: ColumnTest | undefined; event?: ColumnTest | undefined };

export const PAGEVIEW = only(0);

/** Turns a test into matches for the codes of a day. A hit must match all of them. */
export const makeMatches = (day: Day, { page, event }: HitTest): Match[] =>
  [page?.(day.column('page')), event?.(day.column('event'))].filter((match) => match !== undefined);

/** Gives a zero for each hit of a day. The length comes from a column, because totals may be unknown. */
export const makeZeros = (day: Day): Uint8Array => new Uint8Array(day.column('event').codes.length);

const NEVER: Match[] = [{ codes: new Uint8Array(0), code: -1 }];

function markMatches(hits: Uint8Array, [first, second]: readonly Match[]): void {
  for (let hit = 0; hit < hits.length; hit++) {
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    hits[hit] = 1;
  }
}

/** Turns several tests into matches. A hit that passes one of the tests matches. */
export function makeMatchesOfAny(day: Day, tests: readonly HitTest[]): Match[] {
  const possible = tests.map((test) => makeMatches(day, test)).filter(isPossible);
  const always = possible.find((matches) => matches.length === 0);
  if (always || possible.length < 2) return always ?? possible[0] ?? NEVER;
  const hits = makeZeros(day);
  for (const matches of possible) markMatches(hits, matches);
  return [{ codes: hits, code: 1 }];
}
