import { Field } from '../parts/form.tsx';
import { useAutosave } from './autosave.ts';

type Props = { label: string; help: string; on: boolean; isLocked: boolean; save(on: boolean): Promise<unknown> };

/** Something that is on or off, from the moment it is pressed. */
export function Switch({ label, help, on, isLocked, save }: Props) {
  const { value, error, said, set } = useAutosave(on, save);
  return (
    <div class="switch">
      <Field label={label} help={help} error={error}>
        <input
          type="checkbox"
          role="switch"
          checked={value}
          aria-checked={value}
          disabled={isLocked}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      </Field>
      <span class="said" role="status">
        {said}
      </span>
    </div>
  );
}
