// Applies tests to the hits of a day, such as "the page is /buy" or "the host name is shop.example".
//
// Invariant: a hit passes if it fits all matches. A match is a column, and the code that a hit must have there. There
// are at most two matches, because each further match would slow down every loop over hits. Three or more tests are
// first joined into two.
//
// Example: the tests are "page is /a", "host name is x.example" and "is a pageview". The last two tests are joined into
// a list with a 1 for each hit that passes both tests.
import type { Day } from '../day/day.ts';
import type { ReadColumn } from './dimension-column.ts';
import { isEqual, isPossible, type Match } from './match.ts';
import { type ColumnTest, only } from './term-filter.ts';

/**
 * A test for hits. A hit passes if it passes all tests in `where`, and if its event passes `event`. Each test in
 * `where` reads a column of hits. Without tests, every hit passes.
 */
export type HitTest = {
  where?: readonly (readonly [ReadColumn, ColumnTest])[] | undefined;
  event?: ColumnTest | undefined;
};

export const PAGEVIEW = only(0);

export const readPage: ReadColumn = ({ column }) => column('page');

export const isNarrow = ({ where = [] }: HitTest): boolean => where.length > 0;

/**
 * Applies a test to the columns of one day. A hit passes the test if it fits all matches of the result. The result has
 * at most two matches. If every hit passes, the result is empty.
 */
export function makeMatches(day: Day, { where = [], event }: HitTest): Match[] {
  const tests = [...where.map(([read, test]) => test(read(day))), event?.(day.column('event'))];
  const [first, ...others] = tests.filter((match) => match !== undefined);
  if (!first || others.length < 2) return first ? [first, ...others] : [];
  return isPossible([first, ...others]) ? [first, joinMatches(day, others)] : NEVER;
}

/** Joins the tests in `where` into one match. Ignores the test `event`. Returns undefined if every hit passes. */
export function makeNarrowing(day: Day, { where }: HitTest): Match | undefined {
  const [first, second] = makeMatches(day, { where });
  return first && second ? joinMatches(day, [first, second]) : first;
}

function joinMatches(day: Day, matches: readonly Match[]): Match {
  const impossible = matches.find(({ code }) => code < 0);
  if (impossible) return impossible;
  const hits = makeZeros(day).fill(1);
  for (const match of matches) keepMatches(hits, match);
  return { codes: hits, code: 1 };
}

function keepMatches(hits: Uint8Array, { codes, code }: Match): void {
  for (let hit = 0; hit < hits.length; hit++) hits[hit] = (hits[hit] as number) & isEqual(codes[hit] as number, code);
}

/**
 * Returns a list with a zero for each hit. The number of hits is read from a column, because `day.totals` may not be
 * counted yet.
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
