// The form of a question: the keys of the rows, their figures, and how the answer is shown. A key is a dimension, a
// property or a time. Each change is written to the URL at once, and the answer follows.
//
// Example: "Break down by Channel, then by Week", with Revenue, and the weeks as columns.
//
// explore.tsx shows `Builder`.

import type { Goal } from '../../api/goals.ts';
import { needsGoal } from '../../stats/metrics.ts';
import { isTimeKey, MOST_KEYS, type TableKey } from '../../stats/table-keys.ts';
import { changeView } from '../core/address.ts';
import { nameTarget } from '../core/goal-types.ts';
import { usePropertyFilters } from '../core/property-filters.ts';
import { useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { ComparisonPicker } from '../dates/comparison-picker.tsx';
import { spanOf } from '../dates/range.ts';
import { Field } from '../ui/form.tsx';
import { nameFigure } from './figure-text.ts';
import { type KeyGroup, listKeys, nameKey } from './key-text.ts';
import { type Figure, type Has, listFigures, type Question } from './question.ts';

const LABELS = ['Break down by', 'Then by', 'Finally by'] as const;

type Props = { question: Question; has: Has; goals: readonly Goal[]; goal: Goal | undefined };

export function Builder({ question, has, goals, goal }: Props) {
  const { view, domain, site } = useSiteScope();
  const { by, isPivot, figures } = question;
  const groups = listKeys({ site }, usePropertyFilters(domain, view.range));
  const last = by.at(-1);
  const choose = (place: number, key: string) => {
    const next = [...by.slice(0, place), ...(key === '' ? [] : [key]), ...by.slice(place + 1)];
    changeView({ by: next.join() });
  };
  const toggle = (figure: Figure) => {
    const next = figures.includes(figure) ? figures.filter((one) => one !== figure) : [...figures, figure];
    if (next.length > 0) changeView({ metrics: next.join() }, 'replace');
  };
  return (
    <>
      <div class="builder-keys">
        {LABELS.slice(0, Math.min(MOST_KEYS, by.length + 1)).map((label, place) => (
          <KeyChoice
            key={label}
            label={t(isPivot && place === by.length - 1 ? 'Columns' : label)}
            chosen={by[place]}
            others={by.filter((_, i) => i !== place)}
            groups={groups}
            onChoose={(key) => choose(place, key)}
          />
        ))}
        {last !== undefined && by.length > 1 && (
          <label class="builder-pivot">
            <input
              type="checkbox"
              checked={isPivot}
              onChange={({ currentTarget }) => changeView({ pivot: currentTarget.checked })}
            />
            {t('Show {name} as columns', { name: nameKey(last) })}
          </label>
        )}
      </div>
      <div class="builder-figures">
        <fieldset>
          <legend class="field-label">{t('Metrics')}</legend>
          {listFigures(by, has).map((figure) => (
            <button
              key={figure}
              type="button"
              class="plain legend-button"
              aria-pressed={figures.includes(figure)}
              onClick={() => toggle(figure)}
            >
              {t(nameFigure(figure))}
            </button>
          ))}
        </fieldset>
        {goal && figures.some((figure) => figure !== 'visitors' && needsGoal(figure)) && (
          <Field label={t('Goal for the conversions')}>
            <select
              value={goal.id}
              onChange={({ currentTarget }) => changeView({ conversions: currentTarget.value }, 'replace')}
            >
              {goals.map((one) => (
                <option key={one.id} value={one.id}>
                  {nameTarget(one)}
                </option>
              ))}
            </select>
          </Field>
        )}
      </div>
      <Display question={question} />
    </>
  );
}

/** The choices of how to show the answer: the comparison, and whether there is a chart. */
function Display({ question: { by, isPivot } }: { question: Question }) {
  const { view, today } = useSiteScope();
  const span = spanOf(view.range, today);
  const isChart = view.chart === 'line';
  if (by.length === 0) return null;
  return (
    <div class="builder-display">
      {by.some(isTimeKey) || isPivot ? (
        <span class="soft small">{t('Rows by time and columns cannot be compared with another period.')}</span>
      ) : (
        span && <ComparisonPicker span={span} onChoose={(compare) => changeView({ compare }, 'replace')} />
      )}
      <button
        type="button"
        class="plain legend-button"
        aria-pressed={isChart}
        onClick={() => changeView({ chart: isChart ? 'table' : 'line' }, 'replace')}
      >
        {t('Show a chart')}
      </button>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  chosen: TableKey | undefined;
  /** The keys that are chosen in the other fields. This field does not offer them. */
  others: readonly TableKey[];
  groups: readonly KeyGroup[];
  onChoose(key: string): void;
};

function KeyChoice({ label, chosen, others, groups, onChoose }: ChoiceProps) {
  const isKnown = chosen === undefined || groups.some(({ keys }) => keys.includes(chosen));
  return (
    <Field label={label}>
      <select value={chosen ?? ''} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{t('Nothing')}</option>
        {isKnown ? null : <option value={chosen}>{nameKey(chosen)}</option>}
        {groups.map(({ title, keys }) => (
          <optgroup key={title} label={t(title)}>
            {keys
              .filter((key) => !others.includes(key))
              .map((key) => (
                <option key={key} value={key}>
                  {nameKey(key)}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </Field>
  );
}
