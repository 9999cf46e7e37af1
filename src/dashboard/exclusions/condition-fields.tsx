// The form of an exclusion has one to five lines. A line has a field, a condition and a value. Lines with equal fields
// and conditions become one filter with several values. A visit must pass all filters.
//
// Example: with the lines "Source is spam.example" and "Page contains /wp-login", a visit must match both lines.
//
// new-exclusion.tsx shows `ConditionFields` and reads the form with `linesIn`.

import { useId, useState } from 'preact/hooks';
import type { Breakdown } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import type { Condition } from '../../stats/dimensions.ts';
import { useData } from '../core/api.ts';
import type { Line } from '../core/conditions.ts';
import { emptyValueOf, filterText, filterValueText, suggestedBy } from '../core/filter-names.ts';
import { usePropertyFilters } from '../core/property-filters.ts';
import { apiPath } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { CONDITION_NAMES, conditionsOf, FILTERS, type FilterName } from '../core/view.ts';
import { Field } from '../ui/form.tsx';

/**
 * The fields that a line can have. A goal is not among them, because nobody wants to exclude the visits that reach a
 * goal.
 */
const NAMES: readonly FilterName[] = FILTERS.filter((name) => name !== 'goal');
const MOST = 5;

export function ConditionFields({ site, of, onChange }: { site: Site; of: readonly Line[]; onChange(): void }) {
  const [lines, setLines] = useState(() => of.map((line, key) => ({ ...line, key })));
  const set = (next: typeof lines) => {
    setLines(next);
    onChange();
  };
  const add = () =>
    set([...lines, { name: 'country', condition: 'is', value: '', key: Math.max(...lines.map(({ key }) => key)) + 1 }]);
  return (
    <fieldset class="condition-fields">
      <legend class="field-label">{t('Visits that match all of these conditions')}</legend>
      {lines.map(({ key, ...line }, i) => (
        <div key={key} class="condition-fields-line">
          <LineFields site={site} of={line} />
          <button
            type="button"
            class="icon"
            aria-label={t('Remove condition {number}', { number: i + 1 })}
            disabled={lines.length === 1}
            onClick={() => set(lines.filter((other) => other.key !== key))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" disabled={lines.length === MOST} onClick={add}>
        {t('Add a condition')}
      </button>
    </fieldset>
  );
}

export const linesIn = (data: FormData): Line[] => {
  const [names, conditions, values] = ['name', 'condition', 'value'].map((field) => data.getAll(field).map(String));
  return (names ?? []).map((name, i) => ({
    name: name as FilterName,
    condition: conditions?.[i] as Condition,
    value: values?.[i] ?? '',
  }));
};

function LineFields({ site, of }: { site: Site; of: Line }) {
  const [name, setName] = useState(of.name);
  const id = useId();
  const { breakdown, parameters } = suggestedBy(name);
  const emptyValue = emptyValueOf(name);
  const properties = usePropertyFilters(site.domain, '30d');
  const { data } = useData<Breakdown>(breakdown && apiPath(site, `/stats/breakdown/${breakdown}`), {
    range: '30d',
    ...parameters,
    limit: '100',
  });
  return (
    <>
      <Field label={t('Filter by')}>
        <select name="name" value={name} onChange={({ currentTarget }) => setName(currentTarget.value as FilterName)}>
          {[...new Set([...NAMES, ...properties, of.name])].map((one) => (
            <option key={one} value={one}>
              {filterText(one)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t('Condition')}>
        <select name="condition" defaultValue={of.condition}>
          {conditionsOf(name).map((one) => (
            <option key={one} value={one} selected={one === of.condition}>
              {t(CONDITION_NAMES[one])}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t('Value')} name={`filters.${name}`}>
        <input
          name="value"
          list={id}
          defaultValue={of.value}
          maxLength={1024}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={emptyValue ? t('Leave empty for “{value}”', { value: t(emptyValue) }) : ''}
        />
      </Field>
      <datalist id={id}>
        {data?.rows.map(
          ({ value }) =>
            value && (
              <option key={value} value={value}>
                {filterValueText(name, value)}
              </option>
            ),
        )}
      </datalist>
    </>
  );
}
