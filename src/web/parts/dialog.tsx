import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Props = { title: string; onClose(): void; children: ComponentChildren; wide?: boolean };

/** A window over the page, closed by Escape, its button, or a click beside it. The browser keeps the focus within. */
export function Dialog({ title, onClose, children, wide = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const closed = useRef(onClose);
  closed.current = onClose;
  // Text that is marked from within to beyond the edge ends in a click there too, which means nothing.
  const pressed = useRef<EventTarget | null>(null);
  useEffect(() => {
    const dialog = element.current;
    const listener = () => closed.current();
    dialog?.addEventListener('close', listener);
    dialog?.showModal();
    return () => {
      dialog?.removeEventListener('close', listener);
      // Gives the focus back to where it was.
      dialog?.close();
    };
  }, []);
  const close = () => element.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, by the browser
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        if (target === element.current && pressed.current === target) close();
      }}
    >
      <div class="dialog-inside">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
