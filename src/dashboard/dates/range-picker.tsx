// The range picker chooses the days of a report. A user picks a range with a name, goes one step back or forward, or
// picks days in a calendar. A choice only changes the URL. If a range has a name, the URL contains the name. So a link
// with the name `7d` shows other days tomorrow. site-header.tsx and pages/all-sites.tsx show `RangePicker`.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import { changeView } from '../core/address.ts';
import { spanText } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { Flyout } from '../ui/flyout.tsx';
import { AnyDays } from './any-days.tsx';
import { ALL_TIME, PRESETS, rangeOf, type Span, spanOf, steppedRange } from './range.ts';

const PERIODS: { range: string; name: DashboardMessage; key: string }[] = [
  { range: 'today', name: 'Today', key: 'T' },
  { range: '7d', name: '7 days', key: 'W' },
  { range: '30d', name: '30 days', key: 'M' },
  { range: '12m', name: '12 months', key: 'Y' },
];

type Props = { range: string; today: string };

export function RangePicker({ range, today }: Props) {
  const span = spanOf(range, today);
  return (
    <div class="range-picker">
      <fieldset class="range-picker-group">
        <legend class="unseen">{t('Period')}</legend>
        {PERIODS.map((period) => (
          <button
            key={period.range}
            type="button"
            class="range-picker-button"
            aria-pressed={range === period.range}
            aria-keyshortcuts={period.key}
            onClick={() => changeView({ range: period.range })}
          >
            {t(period.name)}
          </button>
        ))}
      </fieldset>
      <fieldset class="range-picker-group">
        <legend class="unseen">{t('Days')}</legend>
        <StepButton direction={-1} range={range} today={today} />
        <Flyout
          label={range === ALL_TIME ? t('All time') : span ? spanText(span) : range}
          title={t('Choose days')}
          class="range-picker-days"
          buttonClass="range-picker-button"
        >
          {(close) => <DaysChoice range={range} span={span} today={today} onClose={close} />}
        </Flyout>
        <StepButton direction={1} range={range} today={today} />
      </fieldset>
    </div>
  );
}

function StepButton({ direction, range, today }: Props & { direction: -1 | 1 }) {
  const next = steppedRange(range, today, direction);
  return (
    <button
      type="button"
      class="range-picker-button is-step"
      aria-label={t(direction < 0 ? 'Previous period' : 'Next period')}
      aria-keyshortcuts={direction < 0 ? 'ArrowLeft' : 'ArrowRight'}
      // If there is no further range, this button does nothing. With `aria-disabled`, the button keeps the focus. With
      // `disabled`, it would lose the focus.
      aria-disabled={next === undefined}
      onClick={() => next !== undefined && changeView({ range: next })}
    >
      {direction < 0 ? '‹' : '›'}
    </button>
  );
}

type ChoiceProps = Props & { span: Span | undefined; onClose(): void };

function DaysChoice({ range, span, today, onClose }: ChoiceProps) {
  const open = (chosen: string) => {
    onClose();
    changeView({ range: chosen });
  };
  const choose = (chosen: Span) => open(rangeOf(chosen, today));
  return (
    <>
      <ul class="range-picker-presets">
        {PRESETS.map((preset) => (
          <li key={preset.range}>
            <button
              type="button"
              class="plain"
              aria-pressed={range === preset.range}
              onClick={() => open(preset.range)}
            >
              {t(preset.name)}
              {preset.range === ALL_TIME && <span class="small soft">{t('at most two years')}</span>}
            </button>
          </li>
        ))}
      </ul>
      <AnyDays span={span} today={today} onPick={choose} />
    </>
  );
}
