// The filter bar shows the filters of a report as sentences, and a button that adds a filter. A click on the beginning
// of a sentence opens a form that changes the filter. Each value has a button that removes it. With a condition such as
// "contains", values are typed, not chosen. A click on a typed value opens a form that changes this value.
//
// Example: "Country is Germany or France" has one button for Germany and one for France.
//
// site-header.tsx, pages/all-sites.tsx and explore/group-list.tsx show `FilterBar`.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Goal } from '../../../api/goals.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { filterValueText, headOf } from '../../core/filter-names.ts';
import { removed, whyFull } from '../../core/filters.ts';
import { useChangeFilters, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { type FilterKey, type Filters, isTyped, keysOf, partsOf } from '../../core/view.ts';
import { AddFilter, ChangeFilter, ChangeText } from './add-filter.tsx';

type SentenceProps = {
  of: FilterKey;
  values: readonly { value: string; text: string }[];
  onRemove(value: string): void;
};

export function FilterBar({ children }: { children?: ComponentChildren }) {
  const scope = useScope();
  const { filters } = scope.view;
  const keys = keysOf(filters);
  const hasGoal = keys.some((key) => partsOf(key)[0] === 'goal');
  const goals = useData<Goal[]>(hasGoal && scope.kind === 'site' ? sitePath(scope.domain, '/goals') : undefined);
  const full = keys.map((key) => whyFull(filters, key)).find(Boolean);
  const bar = useRef<HTMLDivElement>(null);
  const changeFilters = useChangeFilters();
  const change = (next: Filters) => {
    changeFilters(next);
    // The pressed button disappears. So the button that adds a filter gets the focus.
    bar.current?.querySelector<HTMLElement>(':scope > .add-filter > button')?.focus();
  };
  const textsOf = (key: (typeof keys)[number]) =>
    (filters[key] ?? []).map((value) => ({ value, text: filterValueText(partsOf(key)[0], value, goals.data) }));
  return (
    <div class="filter-bar" ref={bar}>
      {keys.length > 0 && (
        <ul aria-label={t('Filters')}>
          {keys.map((key) => (
            <Sentence
              key={key}
              of={key}
              values={textsOf(key)}
              onRemove={(value) => change(removed(filters, key, value))}
            />
          ))}
        </ul>
      )}
      <AddFilter />
      {full === undefined ? null : <span class="soft small">{full}</span>}
      {keys.flatMap((key) => filters[key] ?? []).length > 1 && (
        <button type="button" class="filter-bar-button plain" onClick={() => change({})} aria-keyshortcuts="Escape">
          {t('Clear all')}
        </button>
      )}
      {children}
    </div>
  );
}

/** Shows a filter as a sentence, such as "Country is Germany or France". Each value has a button that removes it. */
function Sentence({ of, values, onRemove }: SentenceProps) {
  const head = headOf(of);
  const isText = isTyped(partsOf(of)[1]);
  return (
    <li class="filter-bar-filter">
      <ChangeFilter of={of} />
      {values.map(({ value, text }, i) => (
        <span key={value} class="filter-bar-value">
          {' '}
          <span>
            {i > 0 ? `${t('or')} ` : ''}
            {isText ? null : <b title={value}>{text}</b>}
          </span>
          {isText ? <ChangeText of={of} value={value} /> : null}
          <button
            type="button"
            aria-label={t('Remove the filter {filter}', { filter: `${head} ${text}` })}
            onClick={() => onRemove(value)}
          >
            ×
          </button>
        </span>
      ))}
    </li>
  );
}
