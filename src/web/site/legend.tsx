import { changeView, type View } from '../address.ts';
import { previousOf, spanOf } from './range.ts';
import { spanText } from './words.ts';

type Props = { view: View; today: string; isAlone: boolean };

/** What the lines are, of which that of the period before can be put away, and the chart as a table. */
export function Legend({ view, today, isAlone }: Props) {
  const { more, range } = view;
  const span = spanOf(range, today);
  const isCompared = more.compare !== 'off';
  const isTable = more.chart === 'table';
  const set = (change: Record<string, string>) => changeView({ more: { ...more, ...change } }, 'replace');
  return (
    <div class="legend">
      {span && !isAlone && (
        <button
          type="button"
          class="plain legend-item"
          aria-pressed={isCompared}
          title="Compare with the period before"
          onClick={() => set({ compare: isCompared ? 'off' : '' })}
        >
          <span class="legend-past" />
          {spanText(previousOf(span))}
        </button>
      )}
      <button
        type="button"
        class="plain legend-item"
        aria-pressed={isTable}
        onClick={() => set({ chart: isTable ? '' : 'table' })}
      >
        Table
      </button>
    </div>
  );
}
