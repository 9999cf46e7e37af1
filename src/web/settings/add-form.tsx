import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';
import { Field, FormError, useSubmit } from '../parts/form.tsx';
import { t } from '../texts.ts';

const FormErrors = createContext<ApiError | undefined>(undefined);

type Props = {
  /** The text of the button, and the name of the form for screen readers. */
  label: string;
  /** Shown when something has been added. */
  done: string;
  add(data: FormData): Promise<unknown>;
  /** Gives up what was begun, where the form takes the place of something. */
  cancel?(): void;
  children: ComponentChildren;
};

/** A form that adds one thing and is then empty for the next; or one that changes a thing in its place. */
export function AddForm({ label, done, add, cancel, children }: Props) {
  const { isBusy, error, run } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const [added, setAdded] = useState(0);
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();
  // Not after it is drawn: by then somebody may be typing in another field.
  useLayoutEffect(() => {
    // Unless the result has taken the focus.
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
        {/* The key empties the fields after each time. */}
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

/** The error of a field of the form around. */
export const useFieldError = (name: string): string | undefined => useContext(FormErrors)?.fields[name];

type InputProps = {
  name: string;
  label: string;
  help?: string;
  type?: 'text' | 'email' | 'url' | 'date';
  placeholder?: string;
  defaultValue?: string;
  /** The id of a datalist. */
  list?: string;
  maxLength?: number;
  max?: string;
};

/** An input of the form around, with its label and its error. */
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
