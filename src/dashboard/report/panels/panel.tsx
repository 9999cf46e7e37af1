import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { searchOf } from '../../core/address.ts';
import type { View } from '../../core/view.ts';
import { Guard } from '../../ui/error-boundary.tsx';
import { useInView } from '../../ui/in-view.ts';
import { useIsTimeForRest } from '../../ui/printing.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** A panel begins to load when it is less than this many pixels below the window. */
const AHEAD = 400;

type Props = { id: string; title: string; view: View; class?: string; children(view: View): ComponentChildren };

/**
 * Shows a panel. A panel near the window loads immediately. A panel further down waits until the page is idle, also after a
 * change of the view.
 */
export function Panel({ id, title, view, class: name = '', children }: Props) {
  const [element, isInView] = useInView<HTMLElement>(AHEAD);
  const lastView = useRef<View | undefined>(undefined);
  const isTime = useIsTimeForRest(searchOf(view));
  if (isInView || isTime) lastView.current = view;
  return (
    <section ref={element} class={`card panel ${name}`} aria-labelledby={`panel-${id}`}>
      <h2 id={`panel-${id}`}>{title}</h2>
      {lastView.current ? <Guard>{children(lastView.current)}</Guard> : <Skeleton lines={8} />}
    </section>
  );
}
