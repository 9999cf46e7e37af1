// A form of the settings adds one thing, such as a goal. After that, the form is empty again. The server checks the input. Its
// answer names fields, and each `Input` shows the error of its own field. An error about no field stands below the form. With
// `cancel`, the form replaces an item of a list and changes this item (item-list.tsx).

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { Field, FormError, useSubmit } from './form.tsx';

const FormErrors = createContext<ApiError | undefined>(undefined);

type Props = {
  /** The text of the button. Screen readers also use it as the name of the form. */
  label: string;
  done: string;
  add(data: FormData): Promise<unknown>;
  /** Closes the form without a change. Only given if the form changes an item of a list. */
  cancel?(): void;
  children: ComponentChildren;
};

export function AddForm({ label, done, add, cancel, children }: Props) {
  const { isBusy, error, run } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const [added, setAdded] = useState(0);
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();
  // With an ordinary effect, the user could already type in another field when the focus moves. A layout effect runs
  // before that.
  useLayoutEffect(() => {
    // The result may have the focus, for example a new token. Then the result keeps the focus.
    if (added > 0 && document.activeElement === document.body) focus('input, select');
  }, [added]);
  useLayoutEffect(() => focus('[aria-invalid]'), [error]);
  useLayoutEffect(() => {
    if (cancel) focus('input, select');
  }, []);

  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    if (await run(() => add(data))) setAdded(added + 1);
  };
  return (
    <form ref={form} class="form" aria-label={label} onSubmit={onSubmit} noValidate>
      <FormErrors.Provider value={error}>
        {/* After a submission, `key` changes. So Preact replaces the fields by new ones, which are empty. */}
        <div key={added} class="form">
          {children}
        </div>
      </FormErrors.Provider>
      <FormError
        error={error}
        fields={[...(form.current?.elements ?? [])].map((element) => element.getAttribute('name') ?? '')}
      />
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {label}
        </button>
        {cancel && (
          <button type="button" onClick={() => cancel()}>
            {t('Cancel')}
          </button>
        )}
        <span class="good" role="status">
          {added > 0 && !error && !isBusy ? done : ''}
        </span>
      </div>
    </form>
  );
}

/** Finds the error of a field. The form around the field has the errors. */
export const useFieldError = (name: string): string | undefined => useContext(FormErrors)?.fields[name];

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
  const error = useFieldError(name);
  return (
    <Field label={label} error={error} {...(help ? { help } : {})}>
      <input
        {...attributes}
        name={name}
        aria-invalid={error ? true : undefined}
        autocomplete="off"
        spellcheck={false}
      />
    </Field>
  );
}
