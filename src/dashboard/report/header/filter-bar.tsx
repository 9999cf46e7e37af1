// The filter bar shows the filters of a report as sentences, and a button that adds one. A click on the beginning of a
// sentence changes its filter. Each value has a button that removes it.
//
// Example: "Country is Germany or France" has one button for Germany and one for France.
//
// site-header.tsx and pages/all-sites.tsx show `FilterBar`.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Goal } from '../../../api/goals.ts';
import { changeView, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { filterValueText, headOf } from '../../core/filter-names.ts';
import { removed, whyFull } from '../../core/filters.ts';
import { t } from '../../core/texts.ts';
import { FILTER_KEYS, type FilterKey, type Filters, partsOf, type View } from '../../core/view.ts';
import { AddFilter, ChangeFilter } from './add-filter.tsx';

type Props = { domain: string | undefined; view: View; children?: ComponentChildren };

type SentenceProps = Props & {
  of: FilterKey;
  values: readonly { value: string; text: string }[];
  onRemove(value: string): void;
};

export function FilterBar({ domain, view, children }: Props) {
  const { filters } = view;
  const keys = FILTER_KEYS.filter((key) => filters[key] !== undefined);
  const hasGoal = keys.some((key) => partsOf(key)[0] === 'goal');
  const goals = useData<Goal[]>(hasGoal && domain !== undefined ? sitePath(domain, '/goals') : undefined);
  const full = keys.map((key) => whyFull(filters, key)).find(Boolean);
  const bar = useRef<HTMLDivElement>(null);
  const change = (next: Filters) => {
    changeView({ filters: next });
    // The pressed button disappears and had the focus. So the button that adds a filter gets the focus.
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
              domain={domain}
              view={view}
              values={textsOf(key)}
              onRemove={(value) => change(removed(filters, key, value))}
            />
          ))}
        </ul>
      )}
      <AddFilter domain={domain} view={view} />
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

/**
 * Shows a filter as a sentence, such as "Country is Germany or France". A click on the beginning of the sentence changes the
 * filter.
 */
function Sentence({ of, values, onRemove, ...report }: SentenceProps) {
  const head = headOf(of);
  return (
    <li class="filter-bar-filter">
      <ChangeFilter of={of} {...report} />
      {values.map(({ value, text }, i) => (
        <span key={value} class="filter-bar-value">
          {' '}
          <span>
            {i > 0 ? `${t('or')} ` : ''}
            <b title={value}>{text}</b>
          </span>
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
