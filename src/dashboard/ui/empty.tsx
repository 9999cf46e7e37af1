import type { ComponentChildren } from 'preact';

/**
 * Stands in place of content if there is none. The title says so, and the children say what the user can do about it.
 */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="message empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
