import { changeView } from '../address.ts';
import { Calendar } from './calendar.tsx';
import { Flyout } from './flyout.tsx';
import { rangeOf, type Span, shortcuts, spanOf, steppedRange } from './range.ts';
import { spanText } from './words.ts';

const PERIODS = [
  { range: 'today', name: 'Today', key: 'T' },
  { range: '7d', name: '7 days', key: 'W' },
  { range: '30d', name: '30 days', key: 'M' },
  { range: '12m', name: '12 months', key: 'Y' },
];

type Props = { range: string; today: string };

/** Which days are looked at. */
export function Picker({ range, today }: Props) {
  const span = spanOf(range, today);
  return (
    <div class="picker">
      <fieldset class="segments">
        <legend class="unseen">Period</legend>
        {PERIODS.map((period) => (
          <button
            key={period.range}
            type="button"
            class="segment"
            aria-pressed={range === period.range}
            aria-keyshortcuts={period.key}
            onClick={() => changeView({ range: period.range })}
          >
            {period.name}
          </button>
        ))}
      </fieldset>
      <fieldset class="segments">
        <legend class="unseen">Days</legend>
        <Step way={-1} range={range} today={today} />
        <Flyout label={span ? spanText(span) : range} title="Choose the days" class="days" buttonClass="segment">
          {(close) => <Days span={span} today={today} onDone={close} />}
        </Flyout>
        <Step way={1} range={range} today={today} />
      </fieldset>
    </div>
  );
}

function Step({ way, range, today }: Props & { way: -1 | 1 }) {
  const next = steppedRange(range, today, way);
  return (
    <button
      type="button"
      class="segment pace"
      aria-label={way < 0 ? 'The period before' : 'The period after'}
      aria-keyshortcuts={way < 0 ? 'ArrowLeft' : 'ArrowRight'}
      // Not disabled, or who presses it to the end would lose their place.
      aria-disabled={next === undefined}
      onClick={() => next !== undefined && changeView({ range: next })}
    >
      {way < 0 ? '‹' : '›'}
    </button>
  );
}

function Days({ span, today, onDone }: { span: Span | undefined; today: string; onDone(): void }) {
  const choose = (chosen: Span) => {
    onDone();
    changeView({ range: rangeOf(chosen, today) });
  };
  return (
    <>
      <ul class="periods">
        {shortcuts(today).map((period) => (
          <li key={period.name}>
            <button type="button" class="plain" onClick={() => choose(period.span)}>
              {period.name}
            </button>
          </li>
        ))}
      </ul>
      <Calendar span={span} today={today} onPick={choose} />
    </>
  );
}
