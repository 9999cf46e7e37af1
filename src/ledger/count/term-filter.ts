// A column test finds the rows of a column that meet a condition, such as "source is like *.example.com".
// Invariant: the condition is tried once for each distinct value, never for each row.
//
// Example: a column has the terms 3, 7 and 9, which are numbers of texts. Each row has a code, the place of its term in
// this list: 0, 1 or 2. If the condition accepts only 7, the test gives the codes of the column itself, and the code 1.
// If the condition accepts 3 and 9, the test makes a new list with 1 or 0 for each row. Then the test gives this list,
// and the code 1. So every caller looks for rows with one code.
//
// filters.ts makes column tests of the filters of a query.
import { makeMatcher } from '../../lib/pattern.ts';
import type { Condition } from '../../stats/query.ts';
import { type Column, findCode } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import type { Match } from './match.ts';

/**
 * Finds the rows of a column that meet a condition. These are the rows whose entry in `codes` equals `code`. If no row
 * meets the condition, `code` is -1. If all rows meet the condition, the result is undefined, so that the caller can
 * leave out the test.
 */
export type ColumnTest = (column: Column) => Match | undefined;

/**
 * A term is the number of a text in the site's dictionary. This number stands for a text that the dictionary does not
 * have. No column has this number, so a filter by the text finds nothing.
 */
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
 * Tries a condition on a list of ascending terms, which are numbers of texts. Gives 1 for each term whose text meets
 * the condition, else 0.
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
 * Makes a test that remembers its answer for each term, which is the number of a text. Most days of a query have the
 * same terms. So each text is compared with the filter once, not once for each day.
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
  // Several terms are accepted, but callers look for one code only. So a new list has 1 for each row with an accepted
  // term, else 0.
  const rows = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[row] = accepted[codes[row] as number] as number;
  return { codes: rows, code: 1 };
}

/**
 * Makes a test that accepts several terms, which are numbers of texts. The latest result is kept, because a query tests
 * the same column several times.
 */
function testTerms(accepted: TermTest): ColumnTest {
  let latest: { column: Column; match: Match | undefined } | undefined;
  return (column) => {
    if (latest?.column !== column) latest = { column, match: makeMatch(column, accepted(column.terms)) };
    return latest.match;
  };
}

/**
 * Makes a test for a column of numbers, such as the pageviews of each visit. `codes` of this column has the numbers
 * themselves, not places in a list of values.
 */
export function testNumbers({ is, not = [] }: { is?: readonly number[]; not?: readonly number[] }): ColumnTest {
  if (is?.length === 1 && not.length === 0) return ({ codes }) => ({ codes, code: is[0] as number });
  const accepts = (value: number): boolean => (!is || is.includes(value)) && !not.includes(value);
  return ({ codes }) => ({ codes: Uint8Array.from(codes, (value) => Number(accepts(value))), code: 1 });
}

/**
 * Makes a test for terms, which are numbers of texts. A pattern such as *.example.com is compared once with each
 * distinct text. Comparing the pattern with each row would be slow: 1,000,000 rows may have only 500 texts.
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
