// A form of the settings that adds something, such as a goal, and is then empty again. With `cancel`, the form changes
// an item of a list, and stands in the item's place (item-list.tsx).
//
// Example: after a goal was added, the form "Add goal" says "Added.", and its first field has the focus again.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { Actions, Field, Form } from './form.tsx';

type Props = {
  /** The text of the button. Screen readers also use it as the name of the form. */
  label: string;
  done: string;
  add(data: FormData): Promise<unknown>;
  /** Closes the form without a change. This function is missing if the form adds something. */
  cancel?(): void;
  children: ComponentChildren;
};

export function AddForm({ label, done, add, cancel, children }: Props) {
  const fields = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(0);
  const focusFirst = () => fields.current?.querySelector<HTMLElement>('input, select')?.focus();
  // A layout effect moves the focus before the user can do anything. A later effect could take the focus away while the
  // user types in another field.
  useLayoutEffect(() => {
    // After adding, something else may have the focus, such as a new token. Then the focus stays there.
    if (added > 0 && document.activeElement === document.body) focusFirst();
  }, [added]);
  useLayoutEffect(() => {
    if (cancel) focusFirst();
  }, []);
  return (
    <Form
      label={label}
      submit={async (data) => {
        await add(data);
        setAdded(added + 1);
      }}
    >
      {/* After a submission, `key` changes. So Preact replaces the fields with new, empty ones. */}
      <div ref={fields} key={added} class="form">
        {children}
      </div>
      <Actions verb={label} done={added > 0 ? done : ''}>
        {cancel && (
          <button type="button" onClick={() => cancel()}>
            {t('Cancel')}
          </button>
        )}
      </Actions>
    </Form>
  );
}

type InputProps = {
  name: string;
  label: string;
  help?: string;
  type?: 'text' | 'email' | 'url' | 'date';
  placeholder?: string;
  defaultValue?: string;
  /** The id of the `datalist` element with suggestions. */
  list?: string;
  maxLength?: number;
  max?: string;
};

export function Input({ name, label, help, ...attributes }: InputProps) {
  return (
    <Field label={label} name={name} {...(help ? { help } : {})}>
      <input {...attributes} name={name} autocomplete="off" spellcheck={false} />
    </Field>
  );
}
