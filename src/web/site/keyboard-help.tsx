import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { KEYS } from './keys.ts';
import { areKeysOn, setKeysOn } from './shortcuts.ts';

export function Help({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <table>
        <tbody>
          {KEYS.map(({ keys, does }) => (
            <tr key={does}>
              <th scope="row">{does}</th>
              <td class="number">
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="field keys-on">
        <span class="label">Use these keys in this browser</span>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={({ currentTarget }) => {
            setKeysOn(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />
      </label>
    </Dialog>
  );
}
