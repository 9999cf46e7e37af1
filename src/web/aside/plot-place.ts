import { useEffect, useRef, useState } from 'preact/hooks';

/** In percent of the width of what is around the chart, so that it holds on paper too, and in pixels from below. */
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
      const { left, width, bottom } = around.getBoundingClientRect();
      const percent = 100 / width;
      setPlace(
        over && {
          left: (over.left - left) * percent,
          width: over.width * percent,
          bottom: bottom - over.bottom,
        },
      );
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
