import { useAutosave } from './autosave.ts';
import { Field } from './form.tsx';

type Props = { label: string; help: string; isOn: boolean; isDisabled: boolean; save(isOn: boolean): Promise<unknown> };

export function Switch({ label, help, isOn, isDisabled, save }: Props) {
  const { value, error, status, set } = useAutosave(isOn, save);
  return (
    <div class="autosave">
      <Field label={label} help={help} error={error}>
        <input
          type="checkbox"
          role="switch"
          checked={value}
          aria-checked={value}
          disabled={isDisabled}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      </Field>
      <span class="autosave-status" role="status">
        {status}
      </span>
    </div>
  );
}
