import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Loaded, send } from '../api.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { ConfirmButton } from './confirm-button.tsx';

/** The path to delete, and the texts of the button for it. */
type Removal = { path: string; name: string; warning: string; verb?: string };

type Props<Item> = {
  of: Loaded<Item[]>;
  label: string;
  empty: { title: string; next: string };
  /** Undefined for what may not be removed. */
  removal(item: Item): Removal | undefined;
  children(item: Item): ComponentChildren;
};

/** A list of things that can be removed. */
export function ItemList<Item extends { id: number }>({ of, label, empty, removal, children }: Props<Item>) {
  const list = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState('');

  const remove = async ({ path, name }: Removal) => {
    await send('DELETE', path);
    // The focus would be lost with the button.
    list.current?.focus();
    setStatus(`${name} is gone.`);
    of.reload();
  };
  const removeButton = (one: Removal | undefined) =>
    one && (
      <ConfirmButton verb={one.verb ?? 'Remove'} name={one.name} warning={one.warning} action={() => remove(one)} />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div ref={list} role="group" tabIndex={-1} aria-label={label} class="item-list">
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
                  <div class="item-list-item">{children(item)}</div>
                  {removeButton(removal(item))}
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      <p class="unseen" role="status">
        {status}
      </p>
    </div>
  );
}
