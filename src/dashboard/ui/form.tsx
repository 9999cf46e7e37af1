import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../core/api.ts';

type Submit = { isBusy: boolean; error: ApiError | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/**
 * A hook that sends a change. `run` returns whether the change worked. An error stays until the next change is sent.
 * While a change is being sent, further calls do nothing. A busy button gets `aria-disabled`, because `disabled` would
 * take the focus away.
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

type FieldProps = { label: string; help?: string; error?: string | undefined; children: ComponentChildren };

export function Field({ label, help, error, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `children` is the control
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {error ? <span class="form-error">{error}</span> : help ? <span class="field-help">{help}</span> : null}
    </label>
  );
}

/** Shows an error of a form, unless one of the form's fields already shows it. */
export function FormError({ error, fields = [] }: { error: ApiError | undefined; fields?: readonly string[] }) {
  if (!error || Object.keys(error.fields).some((name) => fields.includes(name))) return null;
  return (
    <p class="form-error" role="alert">
      {error.message}
    </p>
  );
}
