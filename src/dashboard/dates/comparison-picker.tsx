import { spanText } from '../core/format.ts';
import { t } from '../core/texts.ts';
import type { View } from '../core/view.ts';
import { Flyout } from '../ui/flyout.tsx';
import { AnyDays } from './any-days.tsx';
import { comparedSpan, comparisonsFor } from './comparison.ts';
import { customRange, type Span } from './range.ts';

type Props = { view: View; span: Span; today: string; onChoose(compare: string): void };

/** Shows what the report is compared with, and lets people choose: a named comparison, or days from a calendar. */
export function ComparisonPicker({ view, span, today, onChoose }: Props) {
  const compared = comparedSpan(view, span);
  const label = compared ? (
    <>
      <span class="comparison-picker-mark" />
      <span class="soft">{t('Compared with')}</span> {spanText(compared)}
    </>
  ) : (
    t('Not compared')
  );
  return (
    <Flyout label={label} title={t('Compare with')} class="comparison-picker" buttonClass="plain legend-button">
      {(close) => {
        const choose = (compare: string) => {
          close();
          onChoose(compare);
        };
        return (
          <>
            <ul class="range-picker-presets">
              {comparisonsFor(span).map(({ value, name, days }) => (
                <li key={value}>
                  <button
                    type="button"
                    class="plain comparison-picker-choice"
                    aria-pressed={(view.more.compare ?? '') === value}
                    onClick={() => choose(value)}
                  >
                    {t(name)}
                    {days !== '' && <span class="small soft">{days}</span>}
                  </button>
                </li>
              ))}
            </ul>
            <AnyDays span={compared} today={today} onPick={(own) => choose(customRange(own))} />
          </>
        );
      }}
    </Flyout>
  );
}
