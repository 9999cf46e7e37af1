import { useState } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import type { Breakdown } from '../../api/stats.ts';
import { changeView, FILTERS, type FilterName, reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { Field } from '../parts/form.tsx';
import { Flyout } from './flyout.tsx';
import { goalsToSuggestions, rowsToSuggestions, type Suggestion } from './suggestions.ts';
import { Values } from './value-search.tsx';
import { FILTER_WORDS } from './words.ts';

type Props = { domain: string; view: View };

export function AddFilter({ domain, view }: Props) {
  return (
    <Flyout label="Add a filter" title="Add a filter" class="add" buttonClass="pill">
      {(close) => <Choice domain={domain} view={view} onDone={close} />}
    </Flyout>
  );
}

function Choice({ domain, view, onDone }: Props & { onDone(): void }) {
  const [name, setName] = useState(FILTERS.find((one) => view.filters[one] === undefined) ?? 'page');
  const pick = (value: string) => {
    onDone();
    changeView({ filters: { ...view.filters, [name]: value } });
  };
  return (
    <>
      <Field label="Filter by">
        <select data-focus value={name} onChange={({ currentTarget }) => setName(currentTarget.value as FilterName)}>
          {FILTERS.map((one) => (
            <option key={one} value={one}>
              {FILTER_WORDS[one].name}
            </option>
          ))}
        </select>
      </Field>
      <Known key={name} name={name} domain={domain} view={view} onPick={pick} />
    </>
  );
}

/** What there is to choose from: the values of this time, under the other filters. */
function useKnown(name: FilterName, domain: string, view: View): Suggestion[] | undefined {
  const { [name]: _, ...filters } = view.filters;
  const { breakdown } = FILTER_WORDS[name];
  const isGoal = name === 'goal';
  const rows = useData<Breakdown>(isGoal ? undefined : sitePath(domain, `/stats/breakdown/${breakdown}`), {
    ...reportQuery({ ...view, filters }),
    limit: '100',
  });
  const goals = useData<Goal[]>(isGoal ? sitePath(domain, '/goals') : undefined);
  return isGoal ? goals.data && goalsToSuggestions(goals.data) : rows.data && rowsToSuggestions(name, rows.data.rows);
}

function Known({ name, domain, view, onPick }: Props & { name: FilterName; onPick(value: string): void }) {
  return <Values name={name} known={useKnown(name, domain, view)} onPick={onPick} />;
}
