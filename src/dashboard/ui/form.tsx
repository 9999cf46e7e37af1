// The components of all forms of the dashboard. The server checks what a form sends. If an error names a field, it is
// shown at this field, and the first wrong field gets the focus. Any other error is shown at the top of the form. All
// errors are in the language of the page.
//
// Example: the server refuses `value` of a new goal. The form has `<Field label="Path" name="value">`, so the error is
// shown below the path. If the form does not have the field of an error, the error is shown at the top.
//
// A button outside of a form uses `useSubmit` and `FormError`.

import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../core/api.ts';

/** Tells whether an element of the form shows the errors about a field. `field` is the field's name in the request. */
type Shows = (field: string) => boolean;
type FormState = { error: ApiError | undefined; isBusy: boolean; places: Set<Shows> };
const FormContext = createContext<FormState | undefined>(undefined);

type FormProps = {
  /** The name of the form for screen readers. */
  label?: string;
  /** Sends the values of the form. If this fails with an `ApiError`, the form shows the error. */
  submit(data: FormData): Promise<unknown>;
  onInput?(): void;
  children: ComponentChildren;
};

export function Form({ label, submit, onInput, children }: FormProps) {
  const { isBusy, error, run } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const places = useRef(new Set<Shows>()).current;
  useLayoutEffect(() => {
    // The fields render in a microtask. Only then does the wrong field have the attribute `aria-invalid`. So a second
    // microtask, which runs later, looks for this field.
    if (error) queueMicrotask(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }, [error]);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(() => submit(new FormData(event.currentTarget as HTMLFormElement)));
  };
  return (
    <form ref={form} class="form" {...(label && { 'aria-label': label })} {...{ onSubmit, onInput }} noValidate>
      <FormContext.Provider value={{ error, isBusy, places }}>
        <FormError error={error} places={places} />
        {children}
      </FormContext.Provider>
    </form>
  );
}

type ActionsProps = {
  /** The text of the button that sends the form. */
  verb: string;
  kind?: 'primary' | 'danger' | '';
  isDisabled?: boolean;
  /** A text beside the buttons. It is shown after the form was sent without an error. */
  done?: string;
  children?: ComponentChildren;
};

/** The buttons of a form. `children` stand after the button that sends the form. */
export function Actions({ verb, kind = 'primary', isDisabled = false, done, children }: ActionsProps) {
  const { isBusy = false, error } = useContext(FormContext) ?? {};
  return (
    <div class="form-actions">
      <button type="submit" class={kind} disabled={isDisabled} aria-disabled={isBusy}>
        {verb}
      </button>
      {children}
      {done !== undefined && (
        <span class="good" role="status">
          {error || isBusy ? '' : done}
        </span>
      )}
    </div>
  );
}

type FieldProps = {
  label: string;
  help?: string;
  /**
   * The name of the field in errors of the server. The field also shows errors of its parts, such as `filters.page.is`.
   */
  name?: string;
  /** An error that does not come from sending the form. */
  error?: string | undefined;
  children: ComponentChildren;
};

export function Field({ label, help, name, error, children }: FieldProps) {
  const shown = useServerError((field) => field === name || field.startsWith(`${name}.`), name) ?? error;
  const field = useInvalid<HTMLLabelElement>(shown);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `children` is the control
    <label ref={field} class="field">
      <span class="field-label">{label}</span>
      {children}
      {shown ? <span class="form-error">{shown}</span> : help ? <span class="field-help">{help}</span> : null}
    </label>
  );
}

type FieldsProps = { label: string; name: string; class?: string; children: ComponentChildren };

/** Several fields with one error, such as the steps of a funnel. */
export function Fields({ label, name, class: className = '', children }: FieldsProps) {
  const error = useServerError((field) => field === name, name);
  const group = useInvalid<HTMLFieldSetElement>(error);
  return (
    <fieldset ref={group} class={className}>
      <legend class="field-label">{label}</legend>
      {children}
      {error && <p class="form-error">{error}</p>}
    </fieldset>
  );
}

/**
 * Finds the error that an element of the form shows. Also adds the element to `places`, so that `FormError` does not
 * show this error again.
 */
function useServerError(shows: Shows, name: string | undefined): string | undefined {
  const form = useContext(FormContext);
  const places = form?.places;
  useEffect(() => {
    if (name === undefined) return undefined;
    places?.add(shows);
    return () => void places?.delete(shows);
  }, [name, places]);
  return Object.entries(form?.error?.fields ?? {}).find(([field]) => shows(field))?.[1];
}

/** Marks the first control in an element as wrong while there is an error. */
function useInvalid<Kind extends HTMLElement>(error: string | undefined): RefObject<Kind | null> {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const control = element.current?.querySelector('input, select, textarea');
    if (!error) return undefined;
    control?.setAttribute('aria-invalid', 'true');
    return () => control?.removeAttribute('aria-invalid');
  }, [error]);
  return element;
}

/**
 * Shows an error. `places` has a function for each element of the form that shows the errors of a field. These errors
 * are left out here.
 */
export function FormError({ error, places = new Set() }: { error: ApiError | undefined; places?: ReadonlySet<Shows> }) {
  const faults = Object.entries(error?.fields ?? {});
  const others = faults.filter(([field]) => ![...places].some((shows) => shows(field)));
  if (!error || (faults.length > 0 && others.length === 0)) return null;
  return (
    <p class="form-error" role="alert">
      {others.length === faults.length ? error.message : others.map(([, sentence]) => sentence).join(' ')}
    </p>
  );
}

type Submit = { isBusy: boolean; error: ApiError | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/**
 * Returns what a button needs to send a change. `run` returns whether the change worked. An error stays until the next
 * change is sent. While a change is being sent, further calls do nothing. The button then gets `aria-disabled`, because
 * with `disabled` it would lose the focus.
 */
export function useSubmit(): Submit {
  const [state, set] = useState<{ isBusy: boolean; error?: ApiError }>({ isBusy: false });
  return {
    isBusy: state.isBusy,
    error: state.error,
    async run(work) {
      if (state.isBusy) return false;
      set({ isBusy: true });
      try {
        await work();
        set({ isBusy: false });
        return true;
      } catch (error) {
        set({ isBusy: false, error: error as ApiError });
        return false;
      }
    },
  };
}
