import { useEffect, useRef, useState } from 'preact/hooks';

/** In pixels from the edges of what is around the chart. */
type Place = { left: number; width: number; bottom: number };

/** Where the chart beside an element draws its points, which changes with the window. */
export function usePlotPlace(): { root: { current: HTMLDivElement | null }; place: Place | undefined } {
  const root = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    const around = root.current?.parentElement;
    if (!around) return undefined;
    const measure = () => {
      const over = around.querySelector('.u-over')?.getBoundingClientRect();
      const { left, bottom } = around.getBoundingClientRect();
      setPlace(over && { left: over.left - left, width: over.width, bottom: bottom - over.bottom });
    };
    const resize = new ResizeObserver(() => requestAnimationFrame(measure));
    resize.observe(around);
    return () => resize.disconnect();
  }, []);
  return { root, place };
}

/** From left to right, how far a point is from the edge. */
export const placeOfPoint = ({ left, width }: Place, index: number, points: readonly unknown[]): number =>
  left + (index * width) / Math.max(1, points.length - 1);
