// Suggests values in the filter form while somebody types. Values that begin with the typed text come first. Other
// values that contain this text come next. The typed text itself comes last, if the filter accepts typed text. A pasted
// URL becomes the path or the host that the filter needs.
//
// Example: for the filter Page, "https://example.com/price" suggests /prices and /price.
//
// value-search.tsx shows the suggestions.

import type { Row } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { filterValueText } from '../../core/filter-names.ts';
import { isFilter } from '../../core/filters.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { hostIn, pathIn } from '../../core/parse-url-input.ts';
import { type FilterName, isProperty } from '../../core/view.ts';

/** A suggested value. Goals and typed texts have no number of visitors. */
export type Suggestion = { value: string; text: string; visitors?: number };

/**
 * Filters that also accept a value that is not suggested. A site may have more values than the form suggests. Filters
 * by a property accept such a value too.
 */
const TYPED: readonly FilterName[] = [
  'page',
  'entry',
  'exit',
  'source',
  'event',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'pageviews',
];
const PATHS: readonly FilterName[] = ['page', 'entry', 'exit'];

const MOST = 50;

/** The suggestions for the filter "Pages per visit". People can also type a larger number. */
export const COUNTS: readonly Suggestion[] = ['1', '2', '3', '4', '5'].map((value) => ({ value, text: value }));

/**
 * Finds the values that contain the typed text. A value equal to the text comes first, and values that begin with the
 * text come next. The typed text itself comes last, if the filter accepts typed text and no value is equal.
 */
export function suggestionsFor(
  filter: FilterName,
  all: readonly Suggestion[],
  typed: string,
  parameters: readonly string[] = [],
): Suggestion[] {
  const text = searchTextIn(filter, typed, parameters);
  const wanted = text.toLowerCase();
  // The stored value is searched too, such as DE for Germany. A user may have copied it from a URL or a file.
  const place = ({ text, value }: Suggestion) =>
    text.toLowerCase().startsWith(wanted) ? 0 : `${text} ${value}`.toLowerCase().indexOf(wanted);
  const rank = (one: Suggestion) => (one.text.toLowerCase() === wanted ? 0 : place(one) === 0 ? 1 : 2);
  const sorted = all.filter((one) => place(one) >= 0).toSorted((one, other) => rank(one) - rank(other));
  const own = PATHS.includes(filter) && !wanted.startsWith('/') ? `/${text}` : text;
  const isFree = isProperty(filter) || TYPED.includes(filter);
  const isNew = wanted !== '' && isFree && isFilter(filter, own) && !all.some(({ value }) => value === own);
  return [...sorted.slice(0, MOST), ...(isNew ? [{ value: own, text: own }] : [])];
}

/**
 * Finds the text to search for. If somebody pasted a URL, the result is only its path or its host, whichever the filter
 * needs. `parameters` are the page parameters of the site.
 */
export function searchTextIn(filter: FilterName, typed: string, parameters: readonly string[]): string {
  if (PATHS.includes(filter)) return pathIn(typed, parameters);
  const isAddress = filter === 'source' && /^\s*https?:\/\//i.test(typed);
  return isAddress ? hostIn(typed).replace(/^www\./, '') : typed.trim();
}

export const rowsToSuggestions = (filter: FilterName, rows: Row[]): Suggestion[] =>
  rows.map(({ value, visitors }) => ({ value, text: filterValueText(filter, value), visitors }));

export const goalsToSuggestions = (goals: readonly Goal[]): Suggestion[] =>
  goals.map((goal) => ({ value: String(goal.id), text: nameTarget(goal) }));
