import type { Goal } from '../../api/goals.ts';
import type { Row } from '../../api/stats.ts';
import type { FilterName } from '../view.ts';
import { valueText } from './words.ts';

/** A value to select by. Visitors are not known of a value that was typed, and not asked for goals. */
export type Suggestion = { value: string; text: string; visitors?: number };

/** What people may type that the rows may not hold, because there are only so many of them. */
const TYPED: readonly FilterName[] = ['page', 'entry', 'source', 'event', 'utm_source', 'utm_medium', 'utm_campaign'];
const PATHS: readonly FilterName[] = ['page', 'entry'];

const MOST = 50;

export const rowsToSuggestions = (filter: FilterName, rows: Row[]): Suggestion[] =>
  rows.map(({ value, visitors }) => ({ value, text: valueText(filter, value), visitors }));

export const goalsToSuggestions = (goals: Goal[]): Suggestion[] =>
  goals.map(({ id, value }) => ({ value: String(id), text: value }));

/** Those that hold what was typed, those that begin with it first, and at the end what was typed itself. */
export function suggestionsFor(filter: FilterName, known: Suggestion[], typed: string): Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const place = ({ text }: Suggestion) => text.toLowerCase().indexOf(wanted);
  const found = known.filter((one) => place(one) >= 0);
  const sorted = [...found.filter((one) => place(one) === 0), ...found.filter((one) => place(one) > 0)].slice(0, MOST);
  const own = PATHS.includes(filter) && !wanted.startsWith('/') ? `/${typed.trim()}` : typed.trim();
  const isNew = wanted !== '' && TYPED.includes(filter) && !known.some(({ value }) => value === own);
  return isNew ? [...sorted, { value: own, text: own }] : sorted;
}
