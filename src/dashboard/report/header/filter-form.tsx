// The form that adds or changes a filter. It has three fields: a name, a condition and a value, such as "Country", "is"
// and "Germany". The name of an existing filter cannot be changed. Usually, values are chosen from a list
// (filter-values.tsx). For a condition such as "contains", the value is typed (filter-text.tsx). Several values of a
// filter are joined by "or".
//
// The report changes when a value is chosen or applied, or when the condition of an existing filter is changed. Then
// the form closes.
//
// add-filter.tsx opens the form.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Condition, VISIT_DIMENSIONS } from '../../../stats/dimensions.ts';
import { filterText } from '../../core/filter-names.ts';
import { moved } from '../../core/filters.ts';
import { usePropertyFilters } from '../../core/property-filters.ts';
import { useChangeFilters, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import {
  CONDITION_NAMES,
  conditionsOf,
  FILTERS,
  type FilterKey,
  type FilterName,
  type Filters,
  isTyped,
  keyOf,
  partsOf,
} from '../../core/view.ts';
import { Field } from '../../ui/form.tsx';
import { FilterText } from './filter-text.tsx';
import { FilterValues } from './filter-values.tsx';

type FormProps = {
  /** The filter that the form changes, or undefined for a new filter. */
  of?: FilterKey | undefined;
  /** The typed value that the form changes, such as "blog" of "Page contains blog". */
  value?: string | undefined;
  onClose(): void;
};

export function FilterForm({ of, value, onClose }: FormProps) {
  const scope = useScope();
  const { kind, view } = scope;
  const { filters } = view;
  const properties = usePropertyFilters(scope.kind === 'site' ? scope.domain : undefined, view.range);
  const names: readonly FilterName[] = kind === 'all' ? VISIT_DIMENSIONS : [...FILTERS, ...properties];
  const [ofName, ofCondition] = of ? partsOf(of) : [];
  const [name, setName] = useState<FilterName>(
    ofName ?? names.find((one) => filters[one] === undefined) ?? names[0] ?? 'source',
  );
  const [wanted, setWanted] = useState<Condition>(ofCondition ?? 'is');
  const conditions = conditionsOf(name);
  const condition = conditions.includes(wanted) ? wanted : 'is';
  const key = keyOf(name, condition);
  const changeFilters = useChangeFilters();
  const change = (next: Filters) => {
    onClose();
    changeFilters(next);
  };
  const chooseCondition = (next: Condition) => (of ? change(moved(filters, of, keyOf(name, next))) : setWanted(next));
  return (
    <>
      {of ? null : (
        <Choice<FilterName>
          label={t('Filter by')}
          chosen={name}
          names={names}
          textOf={filterText}
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
        isFirst={of !== undefined && value === undefined}
      />
      {isTyped(condition) ? (
        <FilterText key={name} of={key} before={value} onApply={change} />
      ) : (
        <FilterValues key={key} of={key} onApply={change} />
      )}
    </>
  );
}

type ChoiceProps<Name extends string> = {
  label: string;
  chosen: Name;
  names: readonly Name[];
  textOf(name: Name): string;
  onChoose(name: Name): void;
  isFirst?: boolean;
};

function Choice<Name extends string>({ label, chosen, names, textOf, onChoose, isFirst = false }: ChoiceProps<Name>) {
  const select = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
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
