import type { Row } from '../../api/answers.ts';
import type { Goal } from '../../api/goals.ts';
import { isFilter } from '../filters.ts';
import { hostIn, pathIn } from '../parts/pasted.ts';
import type { FilterName } from '../view.ts';
import { filterValueText } from './filter-names.ts';

/** A value of a filter; its visitors are not known of goals and of what was typed. */
export type Suggestion = { value: string; text: string; visitors?: number };

/** Filters that take what was typed, because the values that are suggested may not be all there are. */
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

/** Few visits have more pages than people would pick from a list. */
export const COUNTS: readonly Suggestion[] = ['1', '2', '3', '4', '5'].map((value) => ({ value, text: value }));

/** What a filter may be about of a whole address, where one was pasted. */
function told(filter: FilterName, typed: string): string {
  if (PATHS.includes(filter)) return pathIn(typed);
  const isAddress = filter === 'source' && /^\s*https?:\/\//i.test(typed);
  return isAddress ? hostIn(typed).replace(/^www\./, '') : typed.trim();
}

export const rowsToSuggestions = (filter: FilterName, rows: Row[]): Suggestion[] =>
  rows.map(({ value, visitors }) => ({ value, text: filterValueText(filter, value), visitors }));

export const goalsToSuggestions = (goals: readonly Goal[]): Suggestion[] =>
  goals.map(({ id, value }) => ({ value: String(id), text: value }));

/** Suggestions that contain what was typed, first those that begin with it, and at the end what was typed itself. */
export function suggestionsFor(filter: FilterName, all: readonly Suggestion[], typed: string): Suggestion[] {
  const text = told(filter, typed);
  const wanted = text.toLowerCase();
  // What is kept is found too, as it was copied from elsewhere.
  const place = ({ text, value }: Suggestion) =>
    text.toLowerCase().startsWith(wanted) ? 0 : `${text} ${value}`.toLowerCase().indexOf(wanted);
  const matches = all.filter((one) => place(one) >= 0);
  const sorted = [...matches.filter((one) => place(one) === 0), ...matches.filter((one) => place(one) > 0)];
  const own = PATHS.includes(filter) && !wanted.startsWith('/') ? `/${text}` : text;
  const isNew =
    wanted !== '' && TYPED.includes(filter) && isFilter(filter, own) && !all.some(({ value }) => value === own);
  return [...sorted.slice(0, MOST), ...(isNew ? [{ value: own, text: own }] : [])];
}

/** What was typed, as a part of values. */
export const partIn = (typed: string): Suggestion[] =>
  typed.trim() === '' ? [] : [{ value: typed.trim(), text: typed.trim() }];
