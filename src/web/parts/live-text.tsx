import type { ComponentChildren } from 'preact';

type Props = { isLive: boolean; title?: string; role?: 'status'; children?: ComponentChildren };

/** The dot before the text pulses while there are visitors. */
export function LiveText({ isLive, children, ...attributes }: Props) {
  return (
    <p class={isLive ? 'live-text is-live' : 'live-text'} {...attributes}>
      {children}
    </p>
  );
}
