import { useEffect } from 'preact/hooks';
import { changeView, viewOf } from '../address.ts';
import { changeForKey } from './keys.ts';

const SETTING = 'daybook-keys';

/** Who speaks to their computer would press keys without wanting to, and can turn them off. Storage may be forbidden. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}

export function setKeysOn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, 'off');
  } catch {}
}

const TYPING = 'input, select, textarea, [contenteditable], dialog, [role="dialog"]';
/** What has arrow keys of its own. */
const MOVING = '[role="slider"], [role="tablist"], [role="grid"], [role="listbox"], [role="menu"]';

function isFree({ key, target, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || (shiftKey && key !== '?')) return false;
  if (document.querySelector('dialog[open]') || !(target instanceof Element)) return false;
  return !target.closest(TYPING) && !(key.startsWith('Arrow') && target.closest(MOVING));
}

/** The keys of the page of a site. */
export function useShortcuts(today: string, onHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!areKeysOn() || !isFree(event)) return;
      if (event.key === '?') onHelp();
      const change = changeForKey(event.key, viewOf(location.search), today);
      if (change) changeView(change);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [today, onHelp]);
}
