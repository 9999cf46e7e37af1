import type { ComponentChildren } from 'preact';

type Props = { isLive: boolean; title?: string; role?: 'status'; children?: ComponentChildren };

/** Shows a text with a dot before it. While `isLive` is true, the dot pulses, for example while a site has visitors. */
export function LiveText({ isLive, children, ...attributes }: Props) {
  return (
    <p class={isLive ? 'live-text is-live' : 'live-text'} {...attributes}>
      {children}
    </p>
  );
}
