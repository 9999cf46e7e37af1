// The form fields for the steps of a funnel. A funnel has two to eight steps, which can be added, removed and moved.
// Only the input elements have the typed text. The component stores only the order of the steps, as a list of keys. A
// key is a number that stands for a step.
//
// Example: moving step 3 up changes the keys 0, 1, 2 to 0, 2, 1. The input elements of step 3 move with its key.
//
// funnels.tsx shows `StepFields` and reads the form with `stepsIn`.

import { useRef, useState } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { Fields } from '../ui/form.tsx';
import { PropertyFields, type Target, TargetFields, type TypedTarget, targetIn } from './target.tsx';

const [FEWEST, MOST] = [2, 8];

export function StepFields({ of = [] }: { of?: readonly Target[] }) {
  const [keys, setKeys] = useState(() => [...(of.length > 0 ? of : [0, 1]).keys()]);
  const list = useRef<HTMLOListElement>(null);

  /** Sets the focus in the next frame, because an element loses its focus when it is moved. */
  const focus = (index: number, selector: string) =>
    requestAnimationFrame(() => list.current?.children[index]?.querySelector<HTMLElement>(selector)?.focus());
  const move = (from: number, by: 1 | -1) => {
    const moved = [...keys];
    moved.splice(from + by, 0, ...moved.splice(from, 1));
    setKeys(moved);
    focus(from + by, `[data-by="${by}"]:not(:disabled), [data-by="${-by}"]`);
  };
  const remove = (index: number) => {
    setKeys(keys.filter((_, i) => i !== index));
    focus(Math.max(0, index - 1), 'select');
  };
  const add = () => {
    setKeys([...keys, Math.max(...keys) + 1]);
    focus(keys.length, 'select');
  };
  return (
    <Fields label={t('Steps')} name="steps" class="step-fields">
      <ol ref={list}>
        {keys.map((key, i) => (
          <li key={key}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset for all steps is around this group */}
            <div role="group" aria-label={t('Step {number}', { number: i + 1 })} class="step-fields-step">
              <TargetFields path={pathOf(i)} of={of[key]} />
              <div class="form-actions">
                <MoveButton by={-1} index={i} isLast={i === 0} move={move} />
                <MoveButton by={1} index={i} isLast={i === keys.length - 1} move={move} />
                <button
                  type="button"
                  class="icon"
                  aria-label={t('Remove step {number}', { number: i + 1 })}
                  disabled={keys.length === FEWEST}
                  onClick={() => remove(i)}
                >
                  ×
                </button>
              </div>
              <PropertyFields path={pathOf(i)} of={of[key]} />
            </div>
          </li>
        ))}
      </ol>
      <button type="button" disabled={keys.length === MOST} onClick={add}>
        {t('Add a step')}
      </button>
    </Fields>
  );
}

const pathOf = (index: number): string => `steps.${index}.`;

export function stepsIn(data: FormData, parameters: readonly string[]): TypedTarget[] {
  const count = Array.from({ length: MOST }, (_, i) => i).filter((i) => data.has(`${pathOf(i)}type`)).length;
  return Array.from({ length: count }, (_, i) => targetIn(data, parameters, pathOf(i)));
}

type MoveProps = { by: 1 | -1; index: number; isLast: boolean; move(from: number, by: 1 | -1): void };

function MoveButton({ by, index, isLast, move }: MoveProps) {
  return (
    <button
      type="button"
      class="icon"
      data-by={by}
      aria-label={t(by < 0 ? 'Move step {number} up' : 'Move step {number} down', { number: index + 1 })}
      disabled={isLast}
      onClick={() => move(index, by)}
    >
      {by < 0 ? '↑' : '↓'}
    </button>
  );
}
