import type { Exclusion } from '../../../api/exclusions.ts';
import type { Receipts } from '../../../api/receipts.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { customRange } from '../../dates/range.ts';
import { Link } from '../../ui/link.tsx';
import type { Point } from '../model/points.ts';
import { marksOf } from './marks.ts';
import { placeOfPoint, usePlotPlace } from './plot-place.ts';

type Props = { domain: string; points: readonly Point[] };
/** Shows a mark over the points of the chart from which visits are excluded. The mark links to the exclusions. */
export function ChartMarks({ domain, points }: Props) {
  const { root, place } = usePlotPlace();
  const exclusions = useData<Exclusion[]>(sitePath(domain, '/exclusions'));
  const [first, last] = [points[0], points.at(-1)];
  const isAny = (exclusions.data?.length ?? 0) > 0 && first && last;
  const receipts = useData<Receipts>(
    isAny ? sitePath(domain, '/stats/days') : undefined,
    isAny ? { range: customRange({ from: first.span.from, to: last.span.to }) } : {},
  );
  const isReady = isAny && place && receipts.data && !receipts.isStale;
  const marks = isReady ? marksOf(points, receipts.data?.days ?? [], exclusions.data ?? []) : [];
  const at = (index: number) => (place ? placeOfPoint(place, index, points) : 0);
  return (
    <div ref={root} class="chart-marks">
      {marks.map(({ first, last, text }) => (
        <div
          key={first}
          class="chart-marks-mark"
          title={text}
          style={{ left: `${at(first)}%`, width: `${at(last) - at(first)}%` }}
        >
          <Link href={sitePath(domain, '/settings/exclusions')} class="chart-marks-link" label={text}>
            {null}
          </Link>
        </div>
      ))}
    </div>
  );
}
