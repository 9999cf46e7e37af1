import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Loaded, send } from '../api.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { ConfirmButton } from './confirm-button.tsx';

/** How something is taken off a list: whence, and what follows from that. */
type Removal = { path: string; name: string; warning: string; verb?: string };

type Props<Item> = {
  of: Loaded<Item[]>;
  label: string;
  empty: { title: string; next: string };
  /** Nothing for what may not be removed. */
  removal(item: Item): Removal | undefined;
  children(item: Item): ComponentChildren;
};

/** A list of things that were added one by one, and can be removed the same way. */
export function ItemList<Item extends { id: number }>({ of, label, empty, removal, children }: Props<Item>) {
  const list = useRef<HTMLDivElement>(null);
  const [said, say] = useState('');

  const remove = async ({ path, name }: Removal) => {
    await send('DELETE', path);
    // The button goes with its row, so the focus needs another place.
    list.current?.focus();
    say(`${name} is gone.`);
    of.reload();
  };
  const removeButton = (found: Removal | undefined) =>
    found && (
      <ConfirmButton
        verb={found.verb ?? 'Remove'}
        name={found.name}
        warning={found.warning}
        act={() => remove(found)}
      />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div ref={list} role="group" tabIndex={-1} aria-label={label} class="items">
      <Answer of={of} lines={2}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={empty.title}>
              <p>{empty.next}</p>
            </Empty>
          ) : (
            <ul>
              {items.map((item) => (
                <li key={item.id}>
                  <div class="item">{children(item)}</div>
                  {removeButton(removal(item))}
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  );
}
