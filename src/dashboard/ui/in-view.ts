import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useIsPrinted } from './printing.ts';

/**
 * Tells whether an element is in the window, at most `margin` pixels outside of it, or printed. Components load their
 * data only then. So no data is requested that nobody sees.
 */
export function useInView<Kind extends Element>(margin: number): [RefObject<Kind | null>, boolean] {
  const element = useRef<Kind>(null);
  const [isInView, set] = useState(false);
  const isPrinted = useIsPrinted();
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => set(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: `${margin}px`,
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [margin]);
  return [element, isInView || isPrinted];
}
