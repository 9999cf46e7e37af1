import type { ComponentChildren } from 'preact';

/** Replaces content that is empty. The title says that there is nothing, and the children say what the user can do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="message empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
