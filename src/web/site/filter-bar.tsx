import { useRef } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import { changeView, sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { CONDITIONS, FILTER_KEYS, type FilterKey, partsOf, type View } from '../view.ts';
import { AddFilter } from './add-filter.tsx';
import { FILTER_NAMES, filterValueText } from './filter-names.ts';

type Props = { domain: string; view: View };

/** What a filter is about: `Page`, or `Page is not`. */
function headOf(key: FilterKey): string {
  const [name, condition] = partsOf(key);
  return condition === 'is' ? FILTER_NAMES[name].name : `${FILTER_NAMES[name].name} ${CONDITIONS[condition]}`;
}

/** The filters, each with a button that removes it, and a way to add more. */
export function FilterBar({ domain, view }: Props) {
  const { filters } = view;
  const keys = FILTER_KEYS.filter((key) => filters[key] !== undefined);
  const hasGoal = keys.some((key) => partsOf(key)[0] === 'goal');
  const goals = useData<Goal[]>(hasGoal ? sitePath(domain, '/goals') : undefined);
  const bar = useRef<HTMLDivElement>(null);
  const change = (next: View['filters']) => {
    changeView({ filters: next });
    // The focus would be lost with the button that was pressed.
    bar.current?.querySelector<HTMLElement>('.flyout > button')?.focus();
  };
  const remove = (key: FilterKey) => {
    const { [key]: _, ...others } = filters;
    change(others);
  };
  return (
    <div class="filter-bar" ref={bar}>
      {keys.length > 0 && (
        <ul aria-label="Filters">
          {keys.map((key) => {
            const text = filterValueText(partsOf(key)[0], filters[key] ?? '', goals.data);
            return (
              <li key={key} class="filter-bar-filter">
                <span>
                  {headOf(key)} <b>{text}</b>
                </span>
                <button
                  type="button"
                  aria-label={`Remove the filter ${headOf(key)} ${text}`}
                  onClick={() => remove(key)}
                >
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <AddFilter domain={domain} view={view} />
      {keys.length > 1 && (
        <button type="button" class="filter-bar-button plain" onClick={() => change({})} aria-keyshortcuts="Escape">
          Clear all
        </button>
      )}
    </div>
  );
}
