import { useEffect } from 'preact/hooks';
import { changeView, viewOf } from '../../core/address.ts';
import { changeForKey } from './shortcuts.ts';

const KEY = 'daybook-keys';

/**
 * Tells whether keyboard shortcuts are on. People who use speech input turn them off, because spoken letters would act
 * as shortcuts. If the browser forbids storage, shortcuts are on.
 */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setShortcutsOn(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {}
}

/**
 * Selectors of elements in which shortcuts do not work. In `TYPING`, such as fields and dialogs, no shortcut works. In
 * `ARROWS`, only the arrow keys have their own meaning, and all other shortcuts work.
 */
const TYPING = 'input, select, textarea, [contenteditable], dialog, [role="dialog"]';
const ARROWS = '[role="slider"], [role="tablist"], [role="grid"], [role="listbox"], [role="menu"]';

function isShortcut({ key, target, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || (shiftKey && key !== '?')) return false;
  if (document.querySelector('dialog[open]') || !(target instanceof Element)) return false;
  return !target.closest(TYPING) && !(key.startsWith('Arrow') && target.closest(ARROWS));
}

export function useShortcuts(today: string, onHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areShortcutsOn() || !isShortcut(event)) return;
      if (event.key === '?') onHelp();
      const change = changeForKey(event.key, viewOf(location.search), today);
      if (change) changeView(change);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [today, onHelp]);
}
