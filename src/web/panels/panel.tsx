import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { View } from '../address.ts';
import { useInView } from '../parts/in-view.ts';
import { Skeleton } from '../parts/states.tsx';

/** So far below the window what comes next is already made ready. */
const AHEAD = 400;

type Props = { id: string; title: string; view: View; class?: string; children(view: View): ComponentChildren };

/** A panel, which asks for nothing while it is far from the window, and catches up when it comes near. */
export function Card({ id, title, view, class: name = '', children }: Props) {
  const [element, isInView] = useInView<HTMLElement>(AHEAD);
  const seen = useRef<View | undefined>(undefined);
  if (isInView) seen.current = view;
  return (
    <section ref={element} class={`card panel ${name}`} aria-labelledby={`panel-${id}`}>
      <h2 id={`panel-${id}`}>{title}</h2>
      {seen.current ? children(seen.current) : <Skeleton lines={8} />}
    </section>
  );
}
