// A flyout is a button with content that opens below it, such as the range picker. The content closes on Escape, on a click
// outside, and when the focus moves outside. After opening, the element with the attribute `data-focus` has the focus. After
// Escape, the button has it again.

import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Props = {
  label: ComponentChildren;
  /** The name of the content, for screen readers. */
  title: string;
  class: string;
  buttonClass: string;
  children(close: () => void): ComponentChildren;
};

/** `children` renders the content. Its argument is a function that closes the content. */
export function Flyout({ label, title, class: name, buttonClass, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // An ordinary effect runs a little later, and the user may press Escape before that. So this is a layout effect.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    const onOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    // In the capture phase, this listener runs first. So Escape closes the content and does nothing else on the page.
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
