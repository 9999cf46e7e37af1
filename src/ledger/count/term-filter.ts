// A column test finds the rows of a column that meet a condition, such as "source is like *.example.com".
// Invariant: a condition is tried once for each term, never for each row.
//
// Example: a column has the terms 3, 7 and 9, and the condition accepts 3 and 9. The test gives a column of ones and zeros by row, and the
// code 1. If it accepted 7 alone, the test would give the column itself and the code of 7. So a reader always looks for one code.
//
// filters.ts makes column tests of the filters of a query.
import { makeMatcher } from '../../lib/pattern.ts';
import type { Condition } from '../../stats/query.ts';
import { type Column, findCode } from '../column/column.ts';
import type { Texts } from '../rows/terms.ts';
import type { Match } from './match.ts';

/** Finds the rows of a column that meet a condition, as a match. Its code is -1 if no row does. Gives undefined if all rows do. */
export type ColumnTest = (column: Column) => Match | undefined;

/** Stands for a text that is not in the dictionary of the site. No column has it. */
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

/** Makes a test for one term. */
export const only =
  (term: number): ColumnTest =>
  ({ terms, codes }) => ({ codes, code: findCode(terms, term) });

/** Gives a 1 for each of some ascending terms that meets a condition, else a 0. */
export type TermTest = (terms: ArrayLike<number>) => Uint8Array;

const [UNKNOWN, NO, YES] = [0, 1, 2];

/** Lists the terms of a column that were not tried yet. */
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

/** Makes a test that tries each term once, because most days of a range have the same terms. */
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
  // A column of zeros and ones by row: then every reader looks for one code.
  const rows = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[row] = accepted[codes[row] as number] as number;
  return { codes: rows, code: 1 };
}

/** Makes a test for several terms. A query asks it several times in turn for one column. */
function testTerms(accepted: TermTest): ColumnTest {
  let latest: { column: Column; match: Match | undefined } | undefined;
  return (column) => {
    if (latest?.column !== column) latest = { column, match: makeMatch(column, accepted(column.terms)) };
    return latest.match;
  };
}

/** Makes a test for numbers, for a column whose codes are its values. */
export function testNumbers({ is, not = [] }: { is?: readonly number[]; not?: readonly number[] }): ColumnTest {
  if (is?.length === 1 && not.length === 0) return ({ codes }) => ({ codes, code: is[0] as number });
  const accepts = (value: number): boolean => (!is || is.includes(value)) && !not.includes(value);
  return ({ codes }) => ({ codes: Uint8Array.from(codes, (value) => Number(accepts(value))), code: 1 });
}

/** Makes a test for terms. Patterns are tried once for each term of the days, never for each row. */
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
