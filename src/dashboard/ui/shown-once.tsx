import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Shows a secret that the server never sends again, such as a new token. This element gets the focus, so that nobody
 * overlooks the secret.
 */
export function ShownOnce({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: Biome suggests a fieldset, but this is a secret and no form
    <div ref={element} role="group" tabIndex={-1} aria-label={label} class="shown-once">
      {children}
    </div>
  );
}
