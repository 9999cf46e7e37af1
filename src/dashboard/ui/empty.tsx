import type { ComponentChildren } from 'preact';

/** The title says that there is nothing to show. The children say what the user can do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="message empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
