// The text field of the filter form, for a condition such as "contains". A preview below the field shows the values
// that contain the text, with their visitors. The Enter key or the button adds the text to the filter. A text that the
// filter already has can also be changed here.
//
// Example: the text "rice" has a preview with /prices and /rice. After a click on the button, the filter is "Page
// contains rice".
//
// filter-form.tsx shows `FilterText`.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Breakdown } from '../../../api/answers.ts';
import { reportQuery } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { filterText, suggestedBy } from '../../core/filter-names.ts';
import { added, removed, whyFull } from '../../core/filters.ts';
import { compact } from '../../core/format.ts';
import { statsPath, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { type FilterName, type Filters, keyOf, partsOf } from '../../core/view.ts';
import { Actions, Field, Form } from '../../ui/form.tsx';
import { Cut } from '../../ui/truncated-middle.tsx';
import { useSettled } from '../../ui/use-debounced.ts';
import type { ValuesProps } from './filter-values.tsx';
import { rowsToSuggestions } from './suggestions.ts';

const PREVIEWED = 7;

/** The text field. `before` is the text that the form changes, or undefined if the form adds a text. */
export function FilterText({ of: key, before, onApply }: ValuesProps & { before: string | undefined }) {
  const { view } = useScope();
  const [name] = partsOf(key);
  const [typed, setTyped] = useState(before ?? '');
  const field = useRef<HTMLInputElement>(null);
  // A layout effect runs before anybody can type. A later effect would select text that somebody has just typed, and
  // the next key would replace it.
  useLayoutEffect(() => {
    if (before !== undefined) field.current?.select();
  }, [before]);
  const text = typed.trim();
  const others: Filters = before === undefined ? view.filters : removed(view.filters, key, before);
  const full = whyFull(others, key);
  const apply = async () => {
    if (text !== '' && !full) onApply(added(others, key, text));
  };
  return (
    <Form submit={apply}>
      {before === undefined && view.filters[key] ? (
        <p class="soft small">{t('If you add another value, visits with either value match.')}</p>
      ) : null}
      <Field label={filterText(name)}>
        <input
          ref={field}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={1024}
          placeholder={t('Type part of the value')}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Field>
      <Preview name={name} text={text} others={others} />
      {full ? <p class="soft small">{full}</p> : null}
      <Actions verb={t('Apply')} isDisabled={text === '' || full !== undefined} />
    </Form>
  );
}

type PreviewProps = { name: FilterName; text: string; others: Filters };

/**
 * Shows the values that contain the typed text, with their visitors. `others` has the filters of the report, without
 * the text that the form changes. These filters apply to the visitors too. But the typed text replaces a filter
 * "contains" of the same name.
 */
function Preview({ name, text, others }: PreviewProps) {
  const scope = useScope();
  const settled = useSettled(text);
  const { breakdown, parameters } = suggestedBy(name);
  const path = settled === '' || !breakdown ? undefined : statsPath(scope, `breakdown/${breakdown}`);
  const { data, isStale } = useData<Breakdown>(
    path,
    {
      ...reportQuery({ ...scope.view, filters: { ...others, [keyOf(name, 'contains')]: [settled] } }),
      ...parameters,
      limit: String(PREVIEWED),
    },
    0,
  );
  const rows = path && data ? rowsToSuggestions(name, data.rows) : [];
  return (
    <div class={`filter-text-preview ${isStale && path ? 'is-stale' : ''}`} aria-live="polite">
      {path && data ? (
        <p class="soft small">
          {rows.length > 0
            ? t('Values in this period that contain your text:')
            : t('No value in this period contains this text.')}
        </p>
      ) : null}
      <ul>
        {rows.map(({ value, text: shown, visitors = 0 }) => (
          <li key={value}>
            <Cut text={shown} />
            <span class="soft">{compact(visitors)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
