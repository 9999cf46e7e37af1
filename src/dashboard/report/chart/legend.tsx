import { changeView } from '../../core/address.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { ComparisonPicker } from '../../dates/comparison-picker.tsx';
import { spanOf } from '../../dates/range.ts';
import { intervalOf, intervalsOf, KINDS, whyNot } from '../model/intervals.ts';

/** Shows the controls above the chart: the interval, the comparison, and the choice between drawing and table. */
export function Legend() {
  const { kind, view, today } = useScope();
  const span = spanOf(view.range, today);
  const isOneSite = kind === 'site';
  const isTable = view.chart === 'table';
  const set = (change: Partial<View>) => changeView(change, 'replace');
  return (
    <div class="legend">
      {span && (
        <>
          <ComparisonPicker span={span} onChoose={(compare) => set({ compare })} />
          <fieldset class="legend-intervals">
            <legend class="unseen">{t('Chart interval')}</legend>
            {intervalsOf(isOneSite).map((interval) => {
              const reason = whyNot(interval, view, span, isOneSite);
              return (
                <button
                  key={interval}
                  type="button"
                  class="plain legend-button"
                  aria-pressed={interval === intervalOf(view, span, isOneSite)}
                  disabled={reason !== undefined}
                  title={reason && t(reason)}
                  onClick={() => set({ interval })}
                >
                  {t(KINDS[interval].name)}
                </button>
              );
            })}
          </fieldset>
        </>
      )}
      <button
        type="button"
        class="plain legend-button"
        aria-pressed={isTable}
        onClick={() => set({ chart: isTable ? 'line' : 'table' })}
      >
        {t('Table')}
      </button>
    </div>
  );
}
