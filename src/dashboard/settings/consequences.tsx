import type { ComponentChildren } from 'preact';

/** Shows what an important change will do, before the user confirms it. */
export function Consequences({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="consequences" role="status">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
