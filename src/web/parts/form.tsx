import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';

type Submit = { isBusy: boolean; error: ApiError | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/**
 * Sends a change and keeps its error until the next one. A second call during the first does nothing. `run` says
 * whether the change worked. A busy button has `aria-disabled`, because `disabled` would take the focus away.
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

/** A control with its label. Below it stands its error, or else its help. */
export function Field({ label, help, error, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {error ? <span class="form-error">{error}</span> : help ? <span class="field-help">{help}</span> : null}
    </label>
  );
}

/** Shows an error of a form, unless one of the form's own fields shows it. */
export function FormError({ error, fields = [] }: { error: ApiError | undefined; fields?: readonly string[] }) {
  if (!error || Object.keys(error.fields).some((name) => fields.includes(name))) return null;
  return (
    <p class="form-error" role="alert">
      {error.message}
    </p>
  );
}
