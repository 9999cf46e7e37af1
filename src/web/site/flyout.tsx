import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Props = {
  label: ComponentChildren;
  /** The name of what opens, for screen readers. */
  title: string;
  class: string;
  buttonClass: string;
  children(close: () => void): ComponentChildren;
};

/**
 * A button that opens something below it. Escape, a click outside or moving the focus outside closes it. On opening, the focus
 * goes to what has the attribute `data-focus`.
 */
export function Flyout({ label, title, class: name, buttonClass, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // Not after it is drawn: Escape may be pressed before.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    const onOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    // In the capture phase, so that Escape does nothing else on the page, wherever the focus is.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    addEventListener('keydown', onKeyDown, true);
    addEventListener('pointerdown', onOutside);
    addEventListener('focusin', onOutside);
    return () => {
      removeEventListener('keydown', onKeyDown, true);
      removeEventListener('pointerdown', onOutside);
      removeEventListener('focusin', onOutside);
    };
  }, [isOpen, close]);
  return (
    <div ref={root} class={`flyout ${name}`}>
      <button
        ref={button}
        type="button"
        class={buttonClass}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div class="flyout-content" role="dialog" aria-label={title}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
