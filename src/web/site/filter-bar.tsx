import { useRef } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import { changeView, FILTERS, type FilterName, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { AddFilter } from './add-filter.tsx';
import { FILTER_WORDS, valueText } from './words.ts';

type Props = { domain: string; view: View };

/** What the visits are selected by, each of which can be taken away, and a way to select by more. */
export function FilterBar({ domain, view }: Props) {
  const { filters } = view;
  const goals = useData<Goal[]>(filters.goal === undefined ? undefined : sitePath(domain, '/goals'));
  const bar = useRef<HTMLDivElement>(null);
  const names = FILTERS.filter((name) => filters[name] !== undefined);
  const change = (rest: View['filters']) => {
    changeView({ filters: rest });
    // The button that was pressed goes away, and with it the focus.
    bar.current?.querySelector<HTMLElement>('.flyout > button')?.focus();
  };
  const without = (name: FilterName) => {
    const { [name]: _, ...rest } = filters;
    change(rest);
  };
  return (
    <div class="filters" ref={bar}>
      {names.length > 0 && (
        <ul aria-label="Filters">
          {names.map((name) => {
            const text = valueText(name, filters[name] ?? '', goals.data);
            return (
              <li key={name} class="chip">
                <span>
                  {FILTER_WORDS[name].name} <b>{text}</b>
                </span>
                <button
                  type="button"
                  aria-label={`Remove the filter ${FILTER_WORDS[name].name} ${text}`}
                  onClick={() => without(name)}
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
        <button type="button" class="pill plain" onClick={() => change({})} aria-keyshortcuts="Escape">
          Clear all
        </button>
      )}
    </div>
  );
}
