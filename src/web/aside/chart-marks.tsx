import { useEffect, useRef, useState } from 'preact/hooks';
import type { Exclusion } from '../../api/exclusions.ts';
import type { Receipts } from '../../api/receipts.ts';
import { sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { Link } from '../parts/link.tsx';
import type { Point } from '../site/points.ts';
import { customRange } from '../site/range.ts';
import { marksOf } from './marks.ts';

type Props = { domain: string; points: readonly Point[] };
type Place = { left: number; width: number };

/** Where the chart beside it draws its points, which changes with the window. */
function usePlot(): { root: { current: HTMLDivElement | null }; place: Place | undefined } {
  const root = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    const around = root.current?.parentElement;
    if (!around) return undefined;
    const measure = () => {
      const over = around.querySelector('.u-over')?.getBoundingClientRect();
      setPlace(over && { left: over.left - around.getBoundingClientRect().left, width: over.width });
    };
    const resize = new ResizeObserver(() => requestAnimationFrame(measure));
    resize.observe(around);
    return () => resize.disconnect();
  }, []);
  return { root, place };
}

/** Over the days of which visits are set aside, a mark that says what, and leads to it. */
export function ChartMarks({ domain, points }: Props) {
  const { root, place } = usePlot();
  const exclusions = useData<Exclusion[]>(sitePath(domain, '/exclusions'));
  const [first, last] = [points[0], points.at(-1)];
  const isAny = (exclusions.data?.length ?? 0) > 0 && first && last;
  const receipts = useData<Receipts>(
    isAny ? sitePath(domain, '/stats/days') : undefined,
    isAny ? { range: customRange({ from: first.span.from, to: last.span.to }) } : {},
  );
  const isReady = isAny && place && receipts.data && !receipts.isStale;
  const marks = isReady ? marksOf(points, receipts.data?.days ?? [], exclusions.data ?? []) : [];
  const step = (place?.width ?? 0) / Math.max(1, points.length - 1);
  return (
    <div ref={root} class="chart-marks">
      {marks.map(({ first, last, text }) => (
        <div
          key={first}
          class="chart-marks-mark"
          title={text}
          style={{ left: `${(place?.left ?? 0) + first * step}px`, width: `${(last - first) * step}px` }}
        >
          <Link href={sitePath(domain, '/settings/exclusions')} class="chart-marks-link" label={text}>
            {null}
          </Link>
        </div>
      ))}
    </div>
  );
}
