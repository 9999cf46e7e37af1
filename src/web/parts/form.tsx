import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Trouble } from '../api.ts';

type Sending = { isBusy: boolean; trouble: Trouble | undefined; run(work: () => Promise<unknown>): Promise<boolean> };

/** A change that is under way: it is sent once, and what is wrong with it is shown where it was typed. */
export function useSending(): Sending {
  const [state, set] = useState<{ isBusy: boolean; trouble?: Trouble }>({ isBusy: false });
  return {
    isBusy: state.isBusy,
    trouble: state.trouble,
    async run(work) {
      if (state.isBusy) return false;
      set({ isBusy: true });
      try {
        await work();
        set({ isBusy: false });
        return true;
      } catch (error) {
        set({ isBusy: false, trouble: error as Trouble });
        return false;
      }
    },
  };
}

type FieldProps = { label: string; help?: string; fault?: string | undefined; children: ComponentChildren };

/** A label around what is typed into, with its help and what is wrong with it. */
export function Field({ label, help, fault, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {fault ? <span class="fault">{fault}</span> : help ? <span class="help">{help}</span> : null}
    </label>
  );
}

/** What is wrong with no field of its own. */
export function Faults({ trouble, known = [] }: { trouble: Trouble | undefined; known?: readonly string[] }) {
  if (!trouble || Object.keys(trouble.fields).some((name) => known.includes(name))) return null;
  return (
    <p class="fault" role="alert">
      {trouble.message}
    </p>
  );
}
