import type { ComponentChildren } from 'preact';
import { Field } from './form.tsx';

type Props = {
  label: string;
  help?: string;
  error: string | undefined;
  /** Says whether saving has worked, such as "Saved". `useAutosave` returns this text. */
  status: string;
  children: ComponentChildren;
};

/** A field whose value is saved as soon as it is chosen. Its status stands in the upper corner. */
export const SavedField = ({ status, children, ...field }: Props) => (
  <div class="autosave">
    <Field {...field}>{children}</Field>
    <span class="autosave-status is-above" role="status">
      {status}
    </span>
  </div>
);
