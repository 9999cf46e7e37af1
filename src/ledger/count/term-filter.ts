// Makes column tests. A column test finds the rows of a column that meet a condition, such as "source is like
// *.example.com".
//
// Invariant: a condition on texts is tried once for each distinct text, not for each row.
//
// Example: a column has the terms 3, 7 and 9, so its codes are 0, 1 and 2. If the condition accepts only 9, the test
// returns the codes of the column, and the code 2. If the condition accepts 3 and 9, the test returns a new list of
// ones and zeros, and the code 1. In both cases, callers look for one code. filters.ts makes the column tests of a
// query's filters. funnel.ts and journeys.ts use `makeTermTest` for pages.
import { makeMatcher } from '../../lib/pattern.ts';
import type { Condition } from '../../stats/query.ts';
import { findCode } from '../column/column.ts';
import type { Column } from '../column/packing.ts';
import type { Texts } from '../rows/terms.ts';
import type { Match } from './match.ts';

/**
 * A test of a column. Row i meets the condition if `codes[i]` equals `code`. A `code` of -1 means that no row meets the
 * condition. A result of undefined means that all rows meet it, so the caller leaves out the test.
 */
export type ColumnTest = (column: Column) => Match | undefined;

/** The term of a text that the site does not have. No column has this term, so a filter by the text finds nothing. */
export const UNKNOWN_TERM = 0xffff_ffff;

export function makeColumnTest(
  condition: Condition,
  texts: Texts,
  accepted = makeTermTest(condition, texts),
): ColumnTest {
  const { is = [], not = [], like, unlike = [] } = condition;
  const [value] = is;
  const isOfOne = is.length === 1 && not.length + unlike.length === 0 && like === undefined;
  return isOfOne ? only(texts.findTerm(value ?? '') ?? UNKNOWN_TERM) : testTerms(accepted);
}

export const only =
  (term: number): ColumnTest =>
  ({ terms, codes }) => ({ codes, code: findCode(terms, term) });

/**
 * Returns 1 for each term whose text meets the condition, and otherwise 0. `terms` must be ascending, because the last
 * term is used as the largest.
 */
export type TermTest = (terms: ArrayLike<number>) => Uint8Array;

const [UNKNOWN, NO, YES] = [0, 1, 2];

const listUnknown = (terms: ArrayLike<number>, known: Uint8Array): number[] => {
  const unknown: number[] = [];
  for (let i = 0; i < terms.length; i++) {
    if (known[terms[i] as number] === UNKNOWN) unknown.push(terms[i] as number);
  }
  return unknown;
};

function listAccepted(terms: ArrayLike<number>, known: Uint8Array): Uint8Array {
  const accepted = new Uint8Array(terms.length);
  for (let i = 0; i < terms.length; i++) accepted[i] = (known[terms[i] as number] as number) - NO;
  return accepted;
}

/**
 * Remembers the result for each term. Most days of a query have the same terms. So each text is compared only once, and
 * not once a day.
 */
function rememberAnswers(accepts: (term: number) => boolean): TermTest {
  let known = new Uint8Array(1024);
  return (terms) => {
    const largest = terms[terms.length - 1] ?? 0;
    if (largest >= known.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(largest + 1)));
      larger.set(known);
      known = larger;
    }
    for (const term of listUnknown(terms, known)) known[term] = accepts(term) ? YES : NO;
    return listAccepted(terms, known);
  };
}

function makeMatch({ codes }: Column, accepted: Uint8Array): Match | undefined {
  if (!accepted.includes(0)) return undefined;
  const first = accepted.indexOf(1);
  if (first < 0 || !accepted.includes(1, first + 1)) return { codes, code: first };
  // Several terms are accepted, but callers look for one code. The new list has a 1 for each row with an accepted term,
  // and otherwise a 0.
  const rows = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[row] = accepted[codes[row] as number] as number;
  return { codes: rows, code: 1 };
}

/** Tests whether a row has a text. Term 0 is the empty text. */
export const hasText: ColumnTest = (column) =>
  makeMatch(
    column,
    Uint8Array.from(column.terms, (term) => Number(term !== 0)),
  );

/**
 * Makes the test of a column from a test of terms. The latest result is kept, because a query tests the same column
 * several times.
 */
function testTerms(accepted: TermTest): ColumnTest {
  let latest: { column: Column; match: Match | undefined } | undefined;
  return (column) => {
    if (latest?.column !== column) latest = { column, match: makeMatch(column, accepted(column.terms)) };
    return latest.match;
  };
}

/**
 * Makes a test for a column of numbers, such as the pageviews of each visit. In such a column, the codes are the
 * numbers themselves.
 */
export function testNumbers({ is, not = [] }: { is?: readonly number[]; not?: readonly number[] }): ColumnTest {
  if (is?.length === 1 && not.length === 0) return ({ codes }) => ({ codes, code: is[0] as number });
  const accepts = (value: number): boolean => (!is || is.includes(value)) && !not.includes(value);
  return ({ codes }) => ({ codes: Uint8Array.from(codes, (value) => Number(accepts(value))), code: 1 });
}

/**
 * Makes a test for terms. A pattern such as *.example.com is compared once with each distinct text. For example,
 * 1,000,000 rows may have only 500 texts.
 */
export function makeTermTest({ is, not = [], like, unlike = [] }: Condition, { findTerm, readText }: Texts): TermTest {
  const findTerms = (texts: readonly string[]) => texts.map((text) => findTerm(text) ?? UNKNOWN_TERM);
  const hasPatterns = like !== undefined || unlike.length > 0;
  const wanted = is && new Set(findTerms(is));
  const unwanted = new Set(findTerms(not));
  const fits = (patterns: readonly string[]) => {
    const matchers = patterns.map(makeMatcher);
    return (text: string) => matchers.some((matches) => matches(text));
  };
  const isLike = like && fits(like);
  const isUnlike = fits(unlike);
  return rememberAnswers((term) => {
    if ((wanted && !wanted.has(term)) || unwanted.has(term)) return false;
    if (!hasPatterns) return true;
    const text = readText(term);
    return (!isLike || isLike(text)) && !isUnlike(text);
  });
}
