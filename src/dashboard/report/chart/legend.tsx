import { changeView } from '../../core/address.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { ComparisonPicker } from '../../dates/comparison-picker.tsx';
import { spanOf } from '../../dates/range.ts';
import { intervalOf, intervalsFor, intervalsOf, KINDS } from '../model/intervals.ts';

type Props = { domain: string | undefined; view: View; today: string };

/**
 * Shows the controls above the chart: the interval, the comparison, and the choice between drawing and table. The controls
 * stay in place when the range changes.
 */
export function Legend({ domain, view, today }: Props) {
  const { more, range } = view;
  const span = spanOf(range, today);
  const isOneSite = domain !== undefined;
  const isTable = more.chart === 'table';
  const set = (change: Record<string, string>) => changeView({ more: { ...more, ...change } }, 'replace');
  return (
    <div class="legend">
      {span && (
        <>
          <ComparisonPicker view={view} span={span} today={today} onChoose={(compare) => set({ compare })} />
          <fieldset class="legend-intervals">
            <legend class="unseen">{t('Chart interval')}</legend>
            {intervalsOf(isOneSite).map((interval) => (
              <button
                key={interval}
                type="button"
                class="plain legend-button"
                aria-pressed={interval === intervalOf(view, span, isOneSite)}
                disabled={!intervalsFor(view, span, isOneSite).includes(interval)}
                onClick={() => set({ interval })}
              >
                {t(KINDS[interval].name)}
              </button>
            ))}
          </fieldset>
        </>
      )}
      <button
        type="button"
        class="plain legend-button"
        aria-pressed={isTable}
        onClick={() => set({ chart: isTable ? '' : 'table' })}
      >
        {t('Table')}
      </button>
    </div>
  );
}
