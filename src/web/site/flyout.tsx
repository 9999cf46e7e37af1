import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

type Props = {
  label: ComponentChildren;
  /** What it is for, read out. */
  title: string;
  class: string;
  buttonClass: string;
  children(close: () => void): ComponentChildren;
};

/**
 * A button that opens something beside it. Escape, a click elsewhere, or leaving it closes it. Within, what has `data-focus`
 * gets the focus.
 */
export function Flyout({ label, title, class: name, buttonClass, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    whole.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    const leave = ({ target }: Event) => {
      if (!whole.current?.contains(target as Node)) setOpen(false);
    };
    // Before anything else that Escape means on the page, wherever the focus is.
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    addEventListener('keydown', press, true);
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('keydown', press, true);
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
    };
  }, [isOpen, close]);
  return (
    <div ref={whole} class={`flyout ${name}`}>
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
        <div class="flown" role="dialog" aria-label={title}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
