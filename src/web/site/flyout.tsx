// A flyout is a button that opens something below it, such as the range picker. The opened part closes on Escape, on a click
// outside, and when the focus moves outside. On opening, the focus goes to the element with the attribute `data-focus`. On
// Escape, the focus returns to the button.

import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Props = {
  label: ComponentChildren;
  /** The name of the opened part, for screen readers. */
  title: string;
  class: string;
  buttonClass: string;
  children(close: () => void): ComponentChildren;
};

/** Shows a button, and what it opens. `children` gets a function that closes it. */
export function Flyout({ label, title, class: name, buttonClass, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // A layout effect, because somebody may press Escape before an ordinary effect runs.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    const onOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    // Listens in the capture phase, wherever the focus is. So Escape does nothing else on the page.
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
