// Groups of filters. A visit must pass the filters of the report, and all filters of at least one group. Each group has
// its own filter bar, which looks like the filter bar of the report.
//
// Example: visits from Germany, or visits that saw /pricing. These are two groups with one filter each.
//
// explore.tsx shows `GroupList`.

import { useRef } from 'preact/hooks';
import { changeView } from '../core/address.ts';
import { PageScope, useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import type { Filters } from '../core/view.ts';
import { FilterBar } from '../report/header/filter-bar.tsx';
import { readGroups, writeGroups } from './question.ts';

/** The API allows at most this many groups. */
const MOST_GROUPS = 5;

export function GroupList() {
  const scope = useSiteScope();
  const { view } = scope;
  const groups = readGroups(view.any);
  const root = useRef<HTMLFieldSetElement>(null);
  const change = (next: readonly Filters[]) => {
    changeView({ any: writeGroups(next) });
    // The pressed button may have disappeared. Then a button that is still there gets the focus.
    queueMicrotask(() => {
      if (document.activeElement === document.body) root.current?.querySelector('button')?.focus();
    });
  };
  return (
    <fieldset ref={root} class="group-list">
      <legend class="field-label">{t('Groups of filters, joined by “or”')}</legend>
      {groups.length > 0 && (
        <p class="soft small">{t('A visit must match one of these groups, and the filters above.')}</p>
      )}
      {groups.map((filters, place) => {
        const changeFilters = (own: Filters) => change(groups.with(place, own));
        const name = t('Group {number}', { number: place + 1 });
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would have two frames
          <div key={place} class="group-list-group" role="group" aria-label={name}>
            {place > 0 && <span class="group-list-or">{t('or')}</span>}
            <PageScope.Provider value={{ ...scope, view: { ...view, filters }, changeFilters }}>
              <FilterBar>
                <button
                  type="button"
                  class="icon"
                  aria-label={t('Remove group {number}', { number: place + 1 })}
                  onClick={() => change(groups.toSpliced(place, 1))}
                >
                  ×
                </button>
              </FilterBar>
            </PageScope.Provider>
            {Object.keys(filters).length === 0 && (
              <span class="soft small">{t('A group without filters is ignored.')}</span>
            )}
          </div>
        );
      })}
      {groups.length < MOST_GROUPS && (
        <button
          type="button"
          class="filter-bar-button"
          onClick={() => change(groups.length === 0 ? [{}, {}] : [...groups, {}])}
        >
          {t(groups.length === 0 ? 'Add groups joined by “or”' : 'Add a group')}
        </button>
      )}
    </fieldset>
  );
}
