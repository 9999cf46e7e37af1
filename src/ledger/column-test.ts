import { matcherOf } from '../lib/pattern.ts';
import type { Condition } from '../stats/question.ts';
import { type Column, codeOf } from './columns.ts';
import type { Match } from './tally.ts';
import type { Texts } from './terms.ts';

/** A condition on the values of a column: the match for its rows, of code -1 where none meets it; undefined where all do. */
export type ColumnTest = (column: Column) => Match | undefined;

/** The term of a text that the site does not have. No column has it. */
export const UNKNOWN_TERM = 0xffff_ffff;

/** The rows with one term. */
export const only =
  (term: number): ColumnTest =>
  ({ terms, codes }) => ({ codes, code: codeOf(terms, term) });

type Accepts = (term: number) => boolean;

/** Asks once for each term, because most days of a range have the same words. */
function remembered(accepts: Accepts): Accepts {
  const [yes, no] = [1, 2];
  let known = new Uint8Array(1024);
  return (term) => {
    if (term >= known.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(term + 1)));
      larger.set(known);
      known = larger;
    }
    if (known[term] === 0) known[term] = accepts(term) ? yes : no;
    return known[term] === yes;
  };
}

function matchOf({ terms, codes }: Column, accepts: Accepts): Match | undefined {
  const accepted = new Uint8Array(terms.length);
  let count = 0;
  for (let code = 0; code < terms.length; code++) {
    if (!accepts(terms[code] as number)) continue;
    accepted[code] = 1;
    count++;
  }
  if (count === terms.length) return undefined;
  if (count < 2) return { codes, code: accepted.indexOf(1) };
  // A column of whether a row is accepted: then all who look for rows look for one code.
  const rows = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[row] = accepted[codes[row] as number] as number;
  return { codes: rows, code: 1 };
}

/** The test for several terms. Of a day it is asked more than once, each time with the same column. */
function amongTerms(accepts: Accepts): ColumnTest {
  let latest: { column: Column; match: Match | undefined } | undefined;
  return (column) => {
    if (latest?.column !== column) latest = { column, match: matchOf(column, accepts) };
    return latest.match;
  };
}

/** The test for numbers, of a column whose codes are its values. */
export function amongNumbers({ is, not = [] }: { is?: readonly number[]; not?: readonly number[] }): ColumnTest {
  if (is?.length === 1 && not.length === 0) return ({ codes }) => ({ codes, code: is[0] as number });
  const accepts = (value: number): boolean => (!is || is.includes(value)) && !not.includes(value);
  return ({ codes }) => ({ codes: Uint8Array.from(codes, (value) => Number(accepts(value))), code: 1 });
}

/** Patterns are tried once for each term of the days, never for each row. */
export function columnTestOf({ is, not = [], like, unlike = [] }: Condition, { termOf, textOf }: Texts): ColumnTest {
  const termsOf = (texts: readonly string[]) => texts.map((text) => termOf(text) ?? UNKNOWN_TERM);
  const hasPatterns = like !== undefined || unlike.length > 0;
  if (is?.length === 1 && not.length === 0 && !hasPatterns) return only(termsOf(is)[0] ?? UNKNOWN_TERM);
  const wanted = is && new Set(termsOf(is));
  const unwanted = new Set(termsOf(not));
  const fits = (patterns: readonly string[]) => {
    const matchers = patterns.map(matcherOf);
    return (text: string) => matchers.some((matches) => matches(text));
  };
  const isLike = like && fits(like);
  const isUnlike = fits(unlike);
  return amongTerms(
    remembered((term) => {
      if ((wanted && !wanted.has(term)) || unwanted.has(term)) return false;
      if (!hasPatterns) return true;
      const text = textOf(term);
      return (!isLike || isLike(text)) && !isUnlike(text);
    }),
  );
}
