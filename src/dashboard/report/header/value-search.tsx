// The value search is a text field for the value of a filter, with a list of matching values below it. Arrow keys move through
// the list, while the focus stays in the field. Enter picks a value. With a condition such as "contains", the list has only
// the typed text.
//
// suggestions.ts finds the values, and filter-form.tsx shows the field.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { FILTER_NAMES } from '../../core/filter-names.ts';
import { compact } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { FilterName } from '../../core/view.ts';
import { Field } from '../../ui/form.tsx';
import { Cut } from '../../ui/truncated-middle.tsx';
import { partIn, type Suggestion, suggestionsFor } from './suggestions.ts';

type Props = {
  name: FilterName;
  suggestions: Suggestion[] | undefined;
  /** True for conditions such as "contains". The typed text is then the only value to pick. */
  isPart?: boolean;
  onPick(value: string): void;
};

export function ValueSearch({ name, suggestions, isPart = false, onPick }: Props) {
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState(0);
  const id = useId();
  const matches = isPart ? partIn(typed) : suggestionsFor(name, suggestions ?? [], typed);
  const onKeyDown = (event: KeyboardEvent) => {
    const selected = matches[index];
    const moves: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1 };
    const next = moves[event.key];
    if (next !== undefined) setIndex(Math.max(0, Math.min(matches.length - 1, next)));
    else if (event.key !== 'Enter') return;
    else if (selected) onPick(selected.value);
    event.preventDefault();
  };
  return (
    <>
      <Field label={t(FILTER_NAMES[name].name)}>
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
          placeholder={t(isPart ? 'Type part of the value' : 'Type to search')}
          value={typed}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setIndex(0);
          }}
        />
      </Field>
      <div class="value-search">
        <Matches id={id} label={t(FILTER_NAMES[name].name)} matches={matches} index={index} onPick={onPick} />
        {suggestions && matches.length === 0 && (
          <p class="soft">{t(suggestions.length === 0 ? 'No values in this period.' : 'No match.')}</p>
        )}
      </div>
    </>
  );
}

type MatchesProps = { id: string; label: string; matches: Suggestion[]; index: number; onPick(value: string): void };

function Matches({ id, label, matches, index, onPick }: MatchesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [index]);
  return (
    <div ref={list} id={id} class="value-search-list" role="listbox" tabIndex={0} aria-label={label}>
      {matches.map(({ value, text, visitors }, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div key={value} id={`${id}-${i}`} role="option" aria-selected={i === index} onClick={() => onPick(value)}>
          <Cut text={text} />
          {visitors !== undefined && <span class="soft">{compact(visitors)}</span>}
        </div>
      ))}
    </div>
  );
}
