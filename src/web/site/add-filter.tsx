import { useState } from 'preact/hooks';
import type { Breakdown } from '../../api/answers.ts';
import type { Goal } from '../../api/goals.ts';
import { VISIT_TEXT_FIELDS } from '../../stats/dimensions.ts';
import { changeView, reportQuery, sitePath, statsPath } from '../address.ts';
import { useData } from '../api.ts';
import { added, hasValue } from '../filters.ts';
import { Field } from '../parts/form.tsx';
import {
  CONDITIONS,
  type Condition,
  conditionsOf,
  FILTERS,
  type FilterKey,
  type FilterName,
  isTyped,
  keyOf,
  partsOf,
  type View,
} from '../view.ts';
import { FILTER_NAMES } from './filter-names.ts';
import { Flyout } from './flyout.tsx';
import { goalsToSuggestions, rowsToSuggestions, type Suggestion } from './suggestions.ts';
import { ValueSearch } from './value-search.tsx';

type Props = { domain: string | undefined; view: View };

export function AddFilter({ domain, view }: Props) {
  return (
    <Flyout label="Add a filter" title="Add a filter" class="add-filter" buttonClass="filter-bar-button">
      {(close) => <FilterForm domain={domain} view={view} onClose={close} />}
    </Flyout>
  );
}

function FilterForm({ domain, view, onClose }: Props & { onClose(): void }) {
  const names = domain === undefined ? VISIT_TEXT_FIELDS : FILTERS;
  const [name, setName] = useState<FilterName>(
    names.find((one) => view.filters[one] === undefined) ?? names[0] ?? 'source',
  );
  const [wanted, setWanted] = useState<Condition>('is');
  const conditions = conditionsOf(name);
  const condition = conditions.includes(wanted) ? wanted : 'is';
  const key = keyOf(name, condition);
  const add = (value: string) => {
    onClose();
    changeView({ filters: added(view.filters, key, value) });
  };
  return (
    <>
      <Field label="Filter by">
        <select data-focus value={name} onChange={({ currentTarget }) => setName(currentTarget.value as FilterName)}>
          {names.map((one) => (
            <option key={one} value={one}>
              {FILTER_NAMES[one].name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Which">
        <select value={condition} onChange={({ currentTarget }) => setWanted(currentTarget.value as Condition)}>
          {conditions.map((one) => (
            <option key={one} value={one}>
              {CONDITIONS[one]}
            </option>
          ))}
        </select>
      </Field>
      {view.filters[key] ? (
        <p class="soft small">This filter has a value already; one more is joined by “or”.</p>
      ) : null}
      {isTyped(condition) ? (
        <ValueSearch key={name} name={name} isPart suggestions={undefined} onPick={add} />
      ) : (
        <SuggestedValues key={key} of={key} domain={domain} view={view} onPick={add} />
      )}
    </>
  );
}

/** The values of this period under the other filters; undefined while they are loading. */
function useSuggestions(name: FilterName, domain: string | undefined, view: View): Suggestion[] | undefined {
  const { [name]: _, ...filters } = view.filters;
  const { breakdown } = FILTER_NAMES[name];
  const isGoal = name === 'goal';
  const rows = useData<Breakdown>(isGoal ? undefined : statsPath(domain, `breakdown/${breakdown}`), {
    ...reportQuery({ ...view, filters }),
    limit: '100',
  });
  const goals = useData<Goal[]>(isGoal && domain !== undefined ? sitePath(domain, '/goals') : undefined);
  return isGoal ? goals.data && goalsToSuggestions(goals.data) : rows.data && rowsToSuggestions(name, rows.data.rows);
}

function SuggestedValues({ of: key, domain, view, onPick }: Props & { of: FilterKey; onPick(value: string): void }) {
  const [name] = partsOf(key);
  const suggestions = useSuggestions(name, domain, view)?.filter(({ value }) => !hasValue(view.filters, key, value));
  return <ValueSearch name={name} suggestions={suggestions} onPick={onPick} />;
}
