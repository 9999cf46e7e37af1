import type { ComponentChildren } from 'preact';

/** What a grave change does, shown before it is confirmed. */
export function Consequences({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="consequences" role="status">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}
