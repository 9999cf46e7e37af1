import type { ComponentChildren } from 'preact';

/** Says that there is nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="message empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
