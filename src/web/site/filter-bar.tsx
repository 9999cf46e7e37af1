import { useRef } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import { changeView, sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { FILTERS, type FilterName, type View } from '../view.ts';
import { AddFilter } from './add-filter.tsx';
import { FILTER_NAMES, filterValueText } from './filter-names.ts';

type Props = { domain: string; view: View };

/** The filters, each with a button that removes it, and a way to add more. */
export function FilterBar({ domain, view }: Props) {
  const { filters } = view;
  const goals = useData<Goal[]>(filters.goal === undefined ? undefined : sitePath(domain, '/goals'));
  const bar = useRef<HTMLDivElement>(null);
  const names = FILTERS.filter((name) => filters[name] !== undefined);
  const change = (next: View['filters']) => {
    changeView({ filters: next });
    // The focus would be lost with the button that was pressed.
    bar.current?.querySelector<HTMLElement>('.flyout > button')?.focus();
  };
  const remove = (name: FilterName) => {
    const { [name]: _, ...others } = filters;
    change(others);
  };
  return (
    <div class="filter-bar" ref={bar}>
      {names.length > 0 && (
        <ul aria-label="Filters">
          {names.map((name) => {
            const text = filterValueText(name, filters[name] ?? '', goals.data);
            return (
              <li key={name} class="filter-bar-filter">
                <span>
                  {FILTER_NAMES[name].name} <b>{text}</b>
                </span>
                <button
                  type="button"
                  aria-label={`Remove the filter ${FILTER_NAMES[name].name} ${text}`}
                  onClick={() => remove(name)}
                >
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <AddFilter domain={domain} view={view} />
      {names.length > 1 && (
        <button type="button" class="filter-bar-button plain" onClick={() => change({})} aria-keyshortcuts="Escape">
          Clear all
        </button>
      )}
    </div>
  );
}
