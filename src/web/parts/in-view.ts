import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether an element is in the window, or so many pixels outside it: nothing is fetched for what nobody looks at. */
export function useInView<Kind extends Element>(ahead: number): [RefObject<Kind | null>, boolean] {
  const element = useRef<Kind>(null);
  const [isInView, set] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => set(entry?.isIntersecting ?? false), {
      rootMargin: `${ahead}px`,
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [ahead]);
  return [element, isInView];
}
