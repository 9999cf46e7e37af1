import { spanText } from '../core/format.ts';
import { useScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { Flyout } from '../ui/flyout.tsx';
import { AnyDays } from './any-days.tsx';
import { comparedSpan, comparisonIn, comparisonsFor } from './comparison.ts';
import { customRange, type Span } from './range.ts';

type Props = { span: Span; onChoose(compare: string): void };

/** Shows what the report is compared with, and lets people choose: a named comparison, or days from a calendar. */
export function ComparisonPicker({ span, onChoose }: Props) {
  const { view, today } = useScope();
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
              {comparisonsFor(span, view.range).map(({ value, name, days }) => (
                <li key={value}>
                  <button
                    type="button"
                    class="plain comparison-picker-choice"
                    aria-pressed={comparisonIn(view) === value}
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
