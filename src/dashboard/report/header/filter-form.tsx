// The form adds a filter or changes one. The form has three fields: a name, a condition and a value, such as "Country", "is" and
// "Germany". The suggested values come from the current report without this filter. Several values of a filter are joined by
// "or".
// add-filter.tsx opens the form.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Breakdown } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { type Condition, VISIT_TEXT_FIELDS } from '../../../stats/dimensions.ts';
import { changeView, reportQuery, sitePath, statsPath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { FILTER_NAMES } from '../../core/filter-names.ts';
import { added, hasValue, moved, whyFull } from '../../core/filters.ts';
import { t } from '../../core/texts.ts';
import {
  CONDITION_NAMES,
  conditionsOf,
  FILTERS,
  type FilterKey,
  type FilterName,
  isTyped,
  keyOf,
  partsOf,
  type View,
} from '../../core/view.ts';
import { Field } from '../../ui/form.tsx';
import { COUNTS, goalsToSuggestions, rowsToSuggestions, type Suggestion } from './suggestions.ts';
import { ValueSearch } from './value-search.tsx';

type Props = { domain: string | undefined; view: View };
type FormProps = Props & {
  /** The filter that the form changes. Undefined for a new filter. */
  of?: FilterKey | undefined;
  onClose(): void;
};

type ChoiceProps<Name extends string> = {
  label: string;
  chosen: Name;
  names: readonly Name[];
  textOf(name: Name): string;
  onChoose(name: Name): void;
  isFirst?: boolean;
};

export function FilterForm({ domain, view, of, onClose }: FormProps) {
  const { filters } = view;
  const names: readonly FilterName[] = domain === undefined ? VISIT_TEXT_FIELDS : FILTERS;
  const [ofName, ofCondition] = of ? partsOf(of) : [];
  const [name, setName] = useState<FilterName>(
    ofName ?? names.find((one) => filters[one] === undefined) ?? names[0] ?? 'source',
  );
  const [wanted, setWanted] = useState<Condition>(ofCondition ?? 'is');
  const conditions = conditionsOf(name);
  const condition = conditions.includes(wanted) ? wanted : 'is';
  const key = keyOf(name, condition);
  const full = whyFull(filters, key);
  const change = (next: View['filters']) => {
    onClose();
    changeView({ filters: next });
  };
  const add = (value: string) => change(added(filters, key, value));
  const chooseCondition = (next: Condition) => (of ? change(moved(filters, of, keyOf(name, next))) : setWanted(next));
  return (
    <>
      {of ? null : (
        <Choice<FilterName>
          label={t('Filter by')}
          chosen={name}
          names={names}
          textOf={(one) => t(FILTER_NAMES[one].name)}
          onChoose={setName}
          isFirst
        />
      )}
      <Choice
        label={t('Condition')}
        chosen={condition}
        names={conditions}
        textOf={(one) => t(CONDITION_NAMES[one])}
        onChoose={chooseCondition}
        isFirst={of !== undefined}
      />
      {full ? (
        <p class="soft small">{full}</p>
      ) : (
        <>
          {filters[key] ? <p class="soft small">{t('Another value is added with “or”.')}</p> : null}
          {isTyped(condition) ? (
            <ValueSearch key={name} name={name} isPart suggestions={undefined} onPick={add} />
          ) : (
            <SuggestedValues key={key} of={key} domain={domain} view={view} onPick={add} />
          )}
        </>
      )}
    </>
  );
}

function Choice<Name extends string>({ label, chosen, names, textOf, onChoose, isFirst = false }: ChoiceProps<Name>) {
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isFirst) select.current?.focus();
  }, [isFirst]);
  return (
    <Field label={label}>
      <select ref={select} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value as Name)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {textOf(name)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/**
 * The values that the form suggests: those in the current report without this filter. Undefined while they are loading.
 */
function useSuggestions(name: FilterName, domain: string | undefined, view: View): readonly Suggestion[] | undefined {
  const { [name]: _, ...filters } = view.filters;
  const { breakdown } = FILTER_NAMES[name];
  const rows = useData<Breakdown>(breakdown && statsPath(domain, `breakdown/${breakdown}`), {
    ...reportQuery({ ...view, filters }),
    limit: '100',
  });
  const goals = useData<Goal[]>(name === 'goal' && domain !== undefined ? sitePath(domain, '/goals') : undefined);
  if (name === 'pageviews') return COUNTS;
  return name === 'goal'
    ? goals.data && goalsToSuggestions(goals.data)
    : rows.data && rowsToSuggestions(name, rows.data.rows);
}

function SuggestedValues({ of: key, domain, view, onPick }: Props & { of: FilterKey; onPick(value: string): void }) {
  const [name] = partsOf(key);
  const suggestions = useSuggestions(name, domain, view)?.filter(({ value }) => !hasValue(view.filters, key, value));
  return <ValueSearch name={name} suggestions={suggestions} onPick={onPick} />;
}
