import type { Day } from '../day/day.ts';
import { isPossible, type Match } from './match.ts';
import { type ColumnTest, only } from './term-filter.ts';

/** What a hit must be: on one of some pages, and one of some events. */
export type HitTest = { page?: ColumnTest | undefined; event?: ColumnTest | undefined };

export const PAGEVIEW = only(0);

/** A test in the codes of a day: what matches all of these meets it. */
export const makeMatches = (day: Day, { page, event }: HitTest): Match[] =>
  [page?.(day.column('page')), event?.(day.column('event'))].filter((match) => match !== undefined);

/** A zero for each hit of a day. Its totals are not asked, because of some visits of a large day they are not known. */
export const noHits = (day: Day): Uint8Array => new Uint8Array(day.column('event').codes.length);

const NEVER: Match[] = [{ codes: new Uint8Array(0), code: -1 }];

function markMatches(hits: Uint8Array, [first, second]: readonly Match[]): void {
  for (let hit = 0; hit < hits.length; hit++) {
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    hits[hit] = 1;
  }
}

/** The same for several tests, of which a hit must meet one. */
export function matchesOfAny(day: Day, tests: readonly HitTest[]): Match[] {
  const possible = tests.map((test) => makeMatches(day, test)).filter(isPossible);
  const always = possible.find((matches) => matches.length === 0);
  if (always || possible.length < 2) return always ?? possible[0] ?? NEVER;
  const hits = noHits(day);
  for (const matches of possible) markMatches(hits, matches);
  return [{ codes: hits, code: 1 }];
}
