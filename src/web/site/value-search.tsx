import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FilterName } from '../address.ts';
import { compact } from '../format.ts';
import { Field } from '../parts/form.tsx';
import { type Suggestion, suggestionsFor } from './suggestions.ts';
import { FILTER_WORDS } from './words.ts';

type Props = { name: FilterName; known: Suggestion[] | undefined; onPick(value: string): void };

/** A text field with a list of what fits, which the arrow keys move through. */
export function Values({ name, known, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const fitting = suggestionsFor(name, known ?? [], typed);
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [at]);
  const press = (event: KeyboardEvent) => {
    const chosen = fitting[at];
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const next = moves[event.key];
    if (next !== undefined) setAt(Math.max(0, Math.min(fitting.length - 1, next)));
    else if (event.key !== 'Enter') return;
    else if (chosen) onPick(chosen.value);
    event.preventDefault();
  };
  return (
    <>
      <Field label={FILTER_WORDS[name].name}>
        <input
          role="combobox"
          aria-expanded={fitting.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={fitting[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={1024}
          placeholder="Type to find one"
          value={typed}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
        />
      </Field>
      <div class="values">
        <div ref={list} id={id} role="listbox" tabIndex={0} aria-label={FILTER_WORDS[name].name}>
          {fitting.map(({ value, text, visitors }, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
            <div key={value} id={`${id}-${i}`} role="option" aria-selected={i === at} onClick={() => onPick(value)}>
              <span>{text}</span>
              {visitors !== undefined && <span class="soft">{compact(visitors)}</span>}
            </div>
          ))}
        </div>
        {known && fitting.length === 0 && (
          <p class="soft">{known.length === 0 ? 'There is none in this period.' : 'None of them fits.'}</p>
        )}
      </div>
    </>
  );
}
