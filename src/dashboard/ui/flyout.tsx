// A flyout is a button with content that opens below it, such as the range picker. The content closes on Escape, on a
// click outside, and when the focus moves outside. When the content opens, its element with the attribute `data-focus`
// gets the focus. After Escape, the button gets the focus back.

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

/** A button with content. `children` renders the content, and gets a function that closes the content. */
export function Flyout({ label, title, class: name, buttonClass, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  // An ordinary effect would run a little later. If the user pressed Escape before that, nothing would close. So this
  // is a layout effect.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    const onOutside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    // In the capture phase, this listener runs before all others. So Escape only closes the content, and does not also
    // remove filters, for example.
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
