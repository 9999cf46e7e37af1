// The filter form suggests values while somebody types. Values that begin with the typed text come first.
// Values that contain it come next. The typed text itself is suggested too, if the filter accepts any text. A pasted URL becomes
// the path or the host that the filter needs.
//
// Example: for the filter Page, "https://example.com/price" suggests /prices and /price.
//
// value-search.tsx shows the suggestions.

import type { Row } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { filterValueText } from '../../core/filter-names.ts';
import { isFilter } from '../../core/filters.ts';
import { hostIn, pathIn } from '../../core/parse-url-input.ts';
import type { FilterName } from '../../core/view.ts';

/** Goals and typed text have no number of visitors. */
export type Suggestion = { value: string; text: string; visitors?: number };

/** These filters accept typed text, because the suggestions may not have all values. */
const TYPED: readonly FilterName[] = [
  'page',
  'entry',
  'exit',
  'source',
  'event',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'pageviews',
];
const PATHS: readonly FilterName[] = ['page', 'entry', 'exit'];

const MOST = 50;

/** Suggested numbers of pageviews in a visit. People can also type a larger number. */
export const COUNTS: readonly Suggestion[] = ['1', '2', '3', '4', '5'].map((value) => ({ value, text: value }));

/**
 * The suggestions that contain the typed text. Suggestions that begin with it come first. The typed text itself comes last, if
 * the filter accepts it.
 */
export function suggestionsFor(filter: FilterName, all: readonly Suggestion[], typed: string): Suggestion[] {
  const text = told(filter, typed);
  const wanted = text.toLowerCase();
  // The stored value is searched too, such as DE for Germany, because users may paste it from another place.
  const place = ({ text, value }: Suggestion) =>
    text.toLowerCase().startsWith(wanted) ? 0 : `${text} ${value}`.toLowerCase().indexOf(wanted);
  const matches = all.filter((one) => place(one) >= 0);
  const sorted = [...matches.filter((one) => place(one) === 0), ...matches.filter((one) => place(one) > 0)];
  const own = PATHS.includes(filter) && !wanted.startsWith('/') ? `/${text}` : text;
  const isNew =
    wanted !== '' && TYPED.includes(filter) && isFilter(filter, own) && !all.some(({ value }) => value === own);
  return [...sorted.slice(0, MOST), ...(isNew ? [{ value: own, text: own }] : [])];
}

/** The text to look for. In a pasted URL, it is the path or the host, as the filter needs. */
function told(filter: FilterName, typed: string): string {
  if (PATHS.includes(filter)) return pathIn(typed);
  const isAddress = filter === 'source' && /^\s*https?:\/\//i.test(typed);
  return isAddress ? hostIn(typed).replace(/^www\./, '') : typed.trim();
}

export const rowsToSuggestions = (filter: FilterName, rows: Row[]): Suggestion[] =>
  rows.map(({ value, visitors }) => ({ value, text: filterValueText(filter, value), visitors }));

export const goalsToSuggestions = (goals: readonly Goal[]): Suggestion[] =>
  goals.map(({ id, value }) => ({ value: String(id), text: value }));

/** Returns the typed text as the only suggestion, for conditions such as "contains". */
export const partIn = (typed: string): Suggestion[] =>
  typed.trim() === '' ? [] : [{ value: typed.trim(), text: typed.trim() }];
