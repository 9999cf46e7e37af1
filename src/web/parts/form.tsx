import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';

type Submit = { isBusy: boolean; error: ApiError | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/**
 * Sends a change, one at a time, and keeps its error until the next. `run` says whether it worked. A button is `aria-disabled` while
 * it is busy: `disabled` would take the focus from whoever pressed it.
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

/** A control with its label, and below it its error or its help. */
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

/** An error that is not about one of the form's own fields, which show theirs themselves. */
export function FormError({ error, fields = [] }: { error: ApiError | undefined; fields?: readonly string[] }) {
  if (!error || Object.keys(error.fields).some((name) => fields.includes(name))) return null;
  return (
    <p class="form-error" role="alert">
      {error.message}
    </p>
  );
}
