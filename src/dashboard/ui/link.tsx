import type { ComponentChildren } from 'preact';
import { navigate } from '../core/address.ts';

type Props = { href: string; class?: string; label?: string; current?: boolean; children: ComponentChildren };

/**
 * A link within the dashboard. A plain click changes the URL without loading a new page. With Ctrl, Cmd, Shift or Alt,
 * the browser handles the click. For example, it opens a new tab.
 */
export function Link({ href, class: name, label, current, children }: Props) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    navigate(href);
    scrollTo(0, 0);
  };
  return (
    <a
      href={href}
      onClick={follow}
      class={name ?? ''}
      aria-current={current ? 'page' : undefined}
      {...(label ? { 'aria-label': label } : {})}
    >
      {children}
    </a>
  );
}
