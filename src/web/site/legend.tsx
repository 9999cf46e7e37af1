import type { ComponentChildren } from 'preact';
import { changeView } from '../address.ts';
import type { View } from '../view.ts';
import { comparedSpan, comparisonsFor } from './comparison.ts';
import { intervalOf, intervalsFor, KINDS } from './intervals.ts';
import { spanOf } from './range.ts';

type Props = { domain: string | undefined; view: View; today: string };

/** Above the chart: what its points are, what it is compared with, and whether it is a table. */
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
          <Choice
            label="Points of the chart"
            value={intervalOf(view, span, isOneSite)}
            choices={intervalsFor(span, isOneSite).map((value) => ({ value, name: KINDS[value].name }))}
            onChoose={(interval) => set({ interval })}
          />
          <Choice
            label="Compare with"
            mark={comparedSpan(view, span) && <span class="legend-previous" />}
            value={more.compare ?? ''}
            choices={comparisonsFor(span)}
            onChoose={(compare) => set({ compare })}
          />
        </>
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

type ChoiceProps = {
  label: string;
  mark?: ComponentChildren;
  value: string;
  choices: { value: string; name: string }[];
  onChoose(value: string): void;
};

function Choice({ label, mark, value, choices, onChoose }: ChoiceProps) {
  return (
    <label class="legend-choice">
      {mark}
      <span class="unseen">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  );
}
