import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { searchOf } from '../../core/address.ts';
import { PageScope, useScope } from '../../core/scope.ts';
import type { View } from '../../core/view.ts';
import { Guard } from '../../ui/error-boundary.tsx';
import { useInView } from '../../ui/in-view.ts';
import { useIsTimeForRest } from '../../ui/printing.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/**
 * A panel below the window begins to load when it is closer than this many pixels. So it is usually loaded when the
 * user has scrolled to it.
 */
const AHEAD = 400;

type Props = { id: string; title: string; class?: string; children: ComponentChildren };

/**
 * Shows a panel. A panel in or near the window loads at once. A panel further down waits until all visible parts are
 * loaded. While a panel waits after a change of the view, the panel still shows the data of the earlier view.
 */
export function Panel({ id, title, class: name = '', children }: Props) {
  const scope = useScope();
  const [element, isInView] = useInView<HTMLElement>(AHEAD);
  const lastView = useRef<View | undefined>(undefined);
  const isTime = useIsTimeForRest(searchOf(scope.view));
  if (isInView || isTime) lastView.current = scope.view;
  return (
    <section ref={element} class={`card panel ${name}`} aria-labelledby={`panel-${id}`}>
      <h2 id={`panel-${id}`}>{title}</h2>
      {lastView.current ? (
        <PageScope.Provider value={{ ...scope, view: lastView.current }}>
          <Guard>{children}</Guard>
        </PageScope.Provider>
      ) : (
        <Skeleton lines={8} />
      )}
    </section>
  );
}

/** A placeholder for panels whose code is not loaded yet. */
export const PanelSkeleton = () => (
  <section class="card panel">
    <Skeleton lines={8} />
  </section>
);
