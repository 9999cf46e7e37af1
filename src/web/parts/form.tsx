import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../api.ts';

type Sending = { isBusy: boolean; error: ApiError | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/** A change that is under way: it is sent once, and what is wrong with it is shown where it was typed. */
export function useSubmit(): Sending {
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

/** A label around what is typed into, with its help and what is wrong with it. */
export function Field({ label, help, error, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {error ? <span class="fault">{error}</span> : help ? <span class="help">{help}</span> : null}
    </label>
  );
}

/** What is wrong with no field of its own. */
export function FormError({ error, known = [] }: { error: ApiError | undefined; known?: readonly string[] }) {
  if (!error || Object.keys(error.fields).some((name) => known.includes(name))) return null;
  return (
    <p class="fault" role="alert">
      {error.message}
    </p>
  );
}
