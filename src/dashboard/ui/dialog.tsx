import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { focusBack } from './focus.ts';

type Props = { title: string; onClose(): void; children: ComponentChildren; isWide?: boolean };

/**
 * Shows a modal window. The Escape key, the button × and a click outside of the window close the window. The browser
 * keeps the focus in the window.
 */
export function Dialog({ title, onClose, children, isWide = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const currentOnClose = useRef(onClose);
  currentOnClose.current = onClose;
  // The element on which the user pressed the mouse button. If somebody selects text in the window and releases the
  // button outside, the browser reports a click outside. Such a click must not close the window.
  const pressed = useRef<EventTarget | null>(null);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    const listener = () => currentOnClose.current();
    dialog?.addEventListener('close', listener);
    dialog?.showModal();
    return () => {
      dialog?.removeEventListener('close', listener);
      dialog?.close();
      // When a dialog closes, the browser returns the focus only if the dialog is still on the page. The dialog
      // may already be removed here. So `focusBack` returns the focus.
      focusBack(before);
    };
  }, []);
  const close = () => element.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes the dialog on Escape
    <dialog
      ref={element}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-label={title}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        if (target === element.current && pressed.current === target) close();
      }}
    >
      <div class="dialog-content">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon" aria-label={t('Close')} onClick={close}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
