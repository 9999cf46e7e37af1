import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * The place of the plot, the area of the lines, within its container. `left` and `width` are in percent, so that they
 * are right on paper too. `bottom` is in pixels.
 */
type Place = { left: number; width: number; bottom: number };

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

/** How far a point of the chart is from the left edge of the container, in percent. */
export const placeOfPoint = ({ left, width }: Place, index: number, points: readonly unknown[]): number =>
  left + (index * width) / Math.max(1, points.length - 1);
