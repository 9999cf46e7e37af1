import { changeView } from '../address.ts';
import { spanText } from '../format.ts';
import type { View } from '../view.ts';
import { previousOf, spanOf } from './range.ts';

type Props = { view: View; today: string; canCompare: boolean };

/** The buttons above the chart: one shows and hides the previous period, the other turns the chart into a table. */
export function Legend({ view, today, canCompare }: Props) {
  const { more, range } = view;
  const span = spanOf(range, today);
  const isCompared = more.compare !== 'off';
  const isTable = more.chart === 'table';
  const set = (change: Record<string, string>) => changeView({ more: { ...more, ...change } }, 'replace');
  return (
    <div class="legend">
      {span && canCompare && (
        <button
          type="button"
          class="plain legend-button"
          aria-pressed={isCompared}
          title="Compare with the period before"
          onClick={() => set({ compare: isCompared ? 'off' : '' })}
        >
          <span class="legend-previous" />
          {spanText(previousOf(span))}
        </button>
      )}
      <button
        type="button"
        class="plain legend-button"
        aria-pressed={isTable}
        onClick={() => set({ chart: isTable ? '' : 'table' })}
      >
        Table
      </button>
    </div>
  );
}
