import { useState } from 'preact/hooks';
import { t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form.tsx';
import { SHORTCUTS } from './shortcuts.ts';
import { areShortcutsOn, setShortcutsOn } from './use-shortcuts.ts';

export function KeyboardHelp({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose}>
      <table>
        <tbody>
          {SHORTCUTS.map(({ keys = [], named = [], does }) => (
            <tr key={does}>
              <th scope="row">{t(does)}</th>
              <td class="number keyboard-help-keys">
                {[...keys, ...named.map((key) => t(key))].map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="keyboard-help-switch">
        <Field label={t('Enable these shortcuts in this browser')}>
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn}
            checked={isOn}
            onChange={({ currentTarget }) => {
              setShortcutsOn(currentTarget.checked);
              setOn(currentTarget.checked);
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}
