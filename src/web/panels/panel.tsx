import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { searchOf } from '../address.ts';
import { Guard } from '../parts/guard.tsx';
import { useInView } from '../parts/in-view.ts';
import { useIsTimeForRest } from '../parts/printing.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { View } from '../view.ts';

/** How far below the window a panel begins to load, in pixels. */
const AHEAD = 400;

type Props = { id: string; title: string; view: View; class?: string; children(view: View): ComponentChildren };

/**
 * Shows a panel. Near the window it loads at once. Further down it waits until the page is idle, also for a new view.
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
