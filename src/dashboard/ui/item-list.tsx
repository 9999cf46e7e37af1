// A list on a page of the settings, such as the list of goals or of tokens. An item can be removed after a
// confirmation. In some lists, items can also be changed. After a removal, the clicked button disappears, and the list
// gets the focus. Screen readers say what happened.

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { type Loaded, send } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { Empty } from './empty.tsx';
import { Answer } from './loaded.tsx';

/**
 * How an item is removed. `path` is the path of the item in the API, for DELETE. The other fields are those of
 * `ConfirmButton`.
 */
type Removal = { path: string; name: string; warning: string; verb?: string; isHarmless?: boolean };

type Props<Item> = {
  of: Loaded<Item[]>;
  label: string;
  empty: { title: string; next: string };
  /** Describes how an item is removed. Returns undefined if the item may not be removed. */
  removal(item: Item): Removal | undefined;
  /** The sentence that is shown after an item was removed. */
  gone?: DashboardMessage;
  /**
   * Renders a form that changes an item, in place of the item. The form calls `close` at its end. If something was
   * changed, `done` is the sentence to show. The function `change` is undefined if items cannot be changed.
   */
  change?: ((item: Item, close: (done?: string) => void) => ComponentChildren) | undefined;
  children(item: Item): ComponentChildren;
};

export function ItemList<Item extends { id: number }>({
  of,
  label,
  empty,
  removal,
  gone = '{name} was removed.',
  change,
  children,
}: Props<Item>) {
  const list = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState('');
  const [changed, setChanged] = useState<number>();

  const close = (done = '') => {
    setChanged(undefined);
    // The form disappears, so the list gets the focus. Otherwise the Tab key would start at the top of the page.
    list.current?.focus();
    setStatus(done);
    if (done) of.reload();
  };

  const remove = async ({ path, name }: Removal) => {
    await send('DELETE', path);
    // The clicked button disappears. So the list gets the focus, and the Tab key continues from there.
    list.current?.focus();
    setStatus(t(gone, { name }));
    of.reload();
  };
  const removeButton = (one: Removal | undefined) =>
    one && (
      <ConfirmButton
        verb={one.verb ?? t('Remove')}
        name={one.name}
        warning={one.warning}
        isHarmless={one.isHarmless ?? false}
        action={() => remove(one)}
      />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: Biome suggests a fieldset, but this is a list and no form
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
                  {change && item.id === changed ? (
                    change(item, close)
                  ) : (
                    <>
                      <div class="item-list-item">{children(item)}</div>
                      {change && (
                        <button
                          type="button"
                          class="plain"
                          aria-label={t('Edit {name}', { name: removal(item)?.name ?? '' })}
                          onClick={() => setChanged(item.id)}
                        >
                          {t('Edit')}
                        </button>
                      )}
                      {removeButton(removal(item))}
                    </>
                  )}
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
