// A text field for a filter's value, with a list of matching values below it. Arrow keys move through the list, while
// the focus stays in the field. Enter applies a value. Shift+Enter checks the box of a value, so that several
// values can be applied together.
//
// suggestions.ts finds the values, and filter-values.tsx shows the field.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { filterText } from '../../core/filter-names.ts';
import { compact } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { FilterName } from '../../core/view.ts';
import { Field } from '../../ui/form.tsx';
import { Cut } from '../../ui/truncated-middle.tsx';
import { type Suggestion, suggestionsFor } from './suggestions.ts';

type ListProps = {
  /** The values with a checked box. */
  checked: readonly string[];
  onCheck(value: string): void;
  onPick(value: string): void;
};

type Props = ListProps & {
  name: FilterName;
  suggestions: readonly Suggestion[] | undefined;
  typed: string;
  /** The page parameters of the site. */
  parameters: readonly string[];
  onType(typed: string): void;
};

export function ValueSearch({ name, suggestions, typed, parameters, onType, ...list }: Props) {
  const [index, setIndex] = useState(0);
  const id = useId();
  const matches = suggestionsFor(name, suggestions ?? [], typed, parameters);
  const onKeyDown = (event: KeyboardEvent) => {
    const active = matches[index];
    const moves: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1 };
    const next = moves[event.key];
    if (next !== undefined) setIndex(Math.max(0, Math.min(matches.length - 1, next)));
    else if (event.key !== 'Enter') return;
    else if (active) (event.shiftKey ? list.onCheck : list.onPick)(active.value);
    event.preventDefault();
  };
  return (
    <>
      <Field label={filterText(name)}>
        <input
          role="combobox"
          aria-expanded={matches.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={matches[index] ? `${id}-${index}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={1024}
          placeholder={t('Type to search')}
          value={typed}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => {
            onType(currentTarget.value);
            setIndex(0);
          }}
        />
      </Field>
      <div class="value-search">
        <Matches id={id} label={filterText(name)} matches={matches} index={index} {...list} />
        {suggestions && matches.length === 0 && (
          <p class="soft">{t(typed.trim() === '' ? 'No values in this period.' : 'No match.')}</p>
        )}
      </div>
    </>
  );
}

type MatchesProps = ListProps & { id: string; label: string; matches: readonly Suggestion[]; index: number };

function Matches({ id, label, matches, index, checked, onCheck, onPick }: MatchesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' }), [index]);
  return (
    <div
      ref={list}
      id={id}
      class="value-search-list"
      role="listbox"
      aria-multiselectable="true"
      tabIndex={0}
      aria-label={label}
    >
      {matches.map(({ value, text, visitors }, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div
          key={value}
          id={`${id}-${i}`}
          role="option"
          class={i === index ? 'is-active' : ''}
          aria-selected={checked.includes(value)}
          onClick={({ target }) => (isInBox(target) ? onCheck : onPick)(value)}
        >
          <span class="value-search-box" aria-hidden="true" />
          <span class="value-search-text">
            <Cut text={text} />
          </span>
          {visitors !== undefined && <span class="soft">{compact(visitors)}</span>}
        </div>
      ))}
    </div>
  );
}

/** Tells whether a click was on the check box of a value. A click elsewhere on the value applies the value at once. */
const isInBox = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('.value-search-box');
