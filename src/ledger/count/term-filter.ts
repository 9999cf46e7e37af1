import { makeMatcher } from '../../lib/pattern.ts';
import type { Condition } from '../../stats/question.ts';
import { type Column, findCode } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import type { Match } from './match.ts';

/** A condition on the values of a column: the match for its rows, of code -1 where none meets it; undefined where all do. */
export type ColumnTest = (column: Column) => Match | undefined;

/** The term of a text that the site does not have. No column has it. */
export const UNKNOWN_TERM = 0xffff_ffff;

/** The rows with one term. */
export const only =
  (term: number): ColumnTest =>
  ({ terms, codes }) => ({ codes, code: findCode(terms, term) });

/** A 1 for each of some ascending terms that meets a condition. */
export type TermTest = (terms: ArrayLike<number>) => Uint8Array;

const [UNKNOWN, NO, YES] = [0, 1, 2];

/** The terms of a column whose answers are not known yet. */
const unknownIn = (terms: ArrayLike<number>, known: Uint8Array): number[] => {
  const unknown: number[] = [];
  for (let i = 0; i < terms.length; i++) {
    if (known[terms[i] as number] === UNKNOWN) unknown.push(terms[i] as number);
  }
  return unknown;
};

function acceptedIn(terms: ArrayLike<number>, known: Uint8Array): Uint8Array {
  const accepted = new Uint8Array(terms.length);
  for (let i = 0; i < terms.length; i++) accepted[i] = (known[terms[i] as number] as number) - NO;
  return accepted;
}

/** Asks once for each term, because most days of a range have the same words. */
function remembered(accepts: (term: number) => boolean): TermTest {
  let known = new Uint8Array(1024);
  return (terms) => {
    const largest = terms[terms.length - 1] ?? 0;
    if (largest >= known.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(largest + 1)));
      larger.set(known);
      known = larger;
    }
    for (const term of unknownIn(terms, known)) known[term] = accepts(term) ? YES : NO;
    return acceptedIn(terms, known);
  };
}

function matchOf({ codes }: Column, accepted: Uint8Array): Match | undefined {
  if (!accepted.includes(0)) return undefined;
  const first = accepted.indexOf(1);
  if (first < 0 || !accepted.includes(1, first + 1)) return { codes, code: first };
  // A column of whether a row is accepted: then all who look for rows look for one code.
  const rows = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[row] = accepted[codes[row] as number] as number;
  return { codes: rows, code: 1 };
}

/** The test for several terms. Of a day it is asked more than once, each time with the same column. */
function amongTerms(accepted: TermTest): ColumnTest {
  let latest: { column: Column; match: Match | undefined } | undefined;
  return (column) => {
    if (latest?.column !== column) latest = { column, match: matchOf(column, accepted(column.terms)) };
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
export function makeTermTest({ is, not = [], like, unlike = [] }: Condition, { findTerm, readText }: Texts): TermTest {
  const termsOf = (texts: readonly string[]) => texts.map((text) => findTerm(text) ?? UNKNOWN_TERM);
  const hasPatterns = like !== undefined || unlike.length > 0;
  const wanted = is && new Set(termsOf(is));
  const unwanted = new Set(termsOf(not));
  const fits = (patterns: readonly string[]) => {
    const matchers = patterns.map(makeMatcher);
    return (text: string) => matchers.some((matches) => matches(text));
  };
  const isLike = like && fits(like);
  const isUnlike = fits(unlike);
  return remembered((term) => {
    if ((wanted && !wanted.has(term)) || unwanted.has(term)) return false;
    if (!hasPatterns) return true;
    const text = readText(term);
    return (!isLike || isLike(text)) && !isUnlike(text);
  });
}

export function makeColumnTest(
  condition: Condition,
  texts: Texts,
  accepted = makeTermTest(condition, texts),
): ColumnTest {
  const { is = [], not = [], like, unlike = [] } = condition;
  const [value] = is;
  const isOfOne = is.length === 1 && not.length + unlike.length === 0 && like === undefined;
  return isOfOne ? only(texts.findTerm(value ?? '') ?? UNKNOWN_TERM) : amongTerms(accepted);
}
