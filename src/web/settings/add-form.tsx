import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';
import { Field, FormError, useSubmit } from '../parts/form.tsx';

const Wrong = createContext<ApiError | undefined>(undefined);

type Props = {
  /** What the button says, and the form is called. */
  label: string;
  /** What is said when it has been added. */
  done: string;
  add(data: FormData): Promise<unknown>;
  children: ComponentChildren;
};

/** The form that adds one thing; afterwards it is empty again, ready for the next. */
export function AddForm({ label, done, add, children }: Props) {
  const { isBusy, error, run } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const [count, setCount] = useState(0);
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();
  useEffect(() => {
    // Unless what came of it has the focus.
    if (count > 0 && document.activeElement === document.body) focus('input, select');
  }, [count]);
  useEffect(() => focus('[aria-invalid]'), [error]);

  const submit = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    if (await run(() => add(data))) setCount(count + 1);
  };
  return (
    <form ref={form} class="form" aria-label={label} onSubmit={submit} noValidate>
      <Wrong.Provider value={error}>
        {/* Begun anew each time, with what its fields remember. */}
        <div key={count} class="form">
          {children}
        </div>
      </Wrong.Provider>
      <FormError
        error={error}
        known={[...(form.current?.elements ?? [])].map((element) => element.getAttribute('name') ?? '')}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {label}
        </button>
        <span class="good" role="status">
          {count > 0 && !error && !isBusy ? done : ''}
        </span>
      </div>
    </form>
  );
}

/** What is wrong with a field of the form around. */
export const useFieldError = (name: string): string | undefined => useContext(Wrong)?.fields[name];

type InputProps = {
  name: string;
  label: string;
  help?: string;
  type?: 'text' | 'email' | 'url' | 'date';
  placeholder?: string;
  defaultValue?: string;
  /** The id of the list of what is suggested. */
  list?: string;
  maxLength?: number;
  max?: string;
};

/** One line of the form around, with its label and what is wrong with it. */
export function Input({ name, label, help, ...more }: InputProps) {
  const error = useFieldError(name);
  return (
    <Field label={label} error={error} {...(help ? { help } : {})}>
      <input {...more} name={name} aria-invalid={error ? true : undefined} autocomplete="off" spellcheck={false} />
    </Field>
  );
}
