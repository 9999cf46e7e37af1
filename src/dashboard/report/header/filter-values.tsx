// The list of values in the filter form. The values come from the current report. A filter such as "Country is Germany"
// is left out, so that other countries are listed too. While somebody types, the server usually searches all values. A
// click on a value applies it at once. With the check boxes, several values can be applied together. If the form
// changes a filter, the present values of the filter are checked and come first.
//
// filter-form.tsx shows `FilterValues`.

import { useState } from 'preact/hooks';
import type { Breakdown } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { filterValueText, suggestedBy, VALUE_NAMES } from '../../core/filter-names.ts';
import { whyFull } from '../../core/filters.ts';
import { keptPath } from '../../core/readable.ts';
import { type Scope, statsPath, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { type FilterKey, type FilterName, type Filters, partsOf } from '../../core/view.ts';
import { useSettled } from '../../ui/use-debounced.ts';
import { COUNTS, goalsToSuggestions, rowsToSuggestions, type Suggestion, searchTextIn } from './suggestions.ts';
import { ValueSearch } from './value-search.tsx';

export type ValuesProps = { of: FilterKey; onApply(filters: Filters): void };

export function FilterValues({ of: key, onApply }: ValuesProps) {
  const scope = useScope();
  const { view } = scope;
  const [name] = partsOf(key);
  const { [key]: present = [], ...others } = view.filters;
  const [checked, setChecked] = useState<readonly string[]>(present);
  const [typed, setTyped] = useState('');
  const known = useSuggestions(name, typed);
  const full = whyFull({ ...others, [key]: checked }, key);
  const apply = (values: readonly string[]) => onApply(values.length === 0 ? others : { ...others, [key]: values });
  const isChanged = checked.length !== present.length || checked.some((value) => !present.includes(value));
  const isFree = (value: string) => checked.includes(value) || full === undefined;
  const toggle = (value: string) =>
    setChecked(checked.includes(value) ? checked.filter((one) => one !== value) : [...checked, value]);
  return (
    <>
      <ValueSearch
        name={name}
        typed={typed}
        parameters={parametersOf(scope)}
        onType={setTyped}
        suggestions={known && withFirst(present, known, name)}
        checked={checked}
        onCheck={(value) => isFree(value) && toggle(value)}
        onPick={(value) => isFree(value) && apply([...new Set([...checked, value])])}
      />
      {full ? <p class="soft small">{full}</p> : null}
      <div class="filter-values-foot">
        <span class="soft small">{t('Tick several values, or click one to use it immediately.')}</span>
        <button type="button" class="primary" aria-disabled={!isChanged} onClick={() => isChanged && apply(checked)}>
          {t('Apply')}
        </button>
      </div>
    </>
  );
}

/**
 * Returns the site's page parameters: the URL parameters that belong to a page, such as `p` in /?p=1. With a share
 * link, and for all sites together, the list is empty.
 */
const parametersOf = (scope: Scope): readonly string[] => (scope.kind === 'site' && scope.site?.page_parameters) || [];

/**
 * Puts the present values of the filter first. These values are listed even if the report has no visitors with them.
 */
function withFirst(present: readonly string[], known: readonly Suggestion[], name: FilterName): Suggestion[] {
  const find = (value: string) =>
    known.find((one) => one.value === value) ?? { value, text: filterValueText(name, value) };
  return [...present.map(find), ...known.filter(({ value }) => !present.includes(value))];
}

/**
 * Finds the values that the form suggests: the site's goals, numbers of pageviews, or values in the current report. The
 * report is counted without the filter `name`. Returns undefined while the values are loading.
 */
function useSuggestions(name: FilterName, typed: string): readonly Suggestion[] | undefined {
  const scope = useScope();
  const { [name]: _, ...filters } = scope.view.filters;
  const { breakdown, parameters } = suggestedBy(name);
  const search = useSettled(searchTextIn(name, typed, parametersOf(scope)));
  // The server does not know translated names such as "Germany", and cannot search the report of all sites. In these
  // cases, the loaded values are searched here.
  const isSearched = search !== '' && scope.kind === 'site' && !(name in VALUE_NAMES);
  const rows = useData<Breakdown>(breakdown && statsPath(scope, `breakdown/${breakdown}`), {
    ...reportQuery({ ...scope.view, filters }),
    ...parameters,
    ...(isSearched ? { search: keptPath(search) } : {}),
    limit: '100',
  });
  const isOfGoals = name === 'goal' && scope.kind === 'site';
  const goals = useData<Goal[]>(isOfGoals ? sitePath(scope.domain, '/goals') : undefined);
  if (name === 'pageviews') return COUNTS;
  return name === 'goal'
    ? goals.data && goalsToSuggestions(goals.data)
    : rows.data && rowsToSuggestions(name, rows.data.rows);
}
