import type { Point } from '../../api/answers.ts';
import { dayShort, number } from '../format.ts';

const [WIDTH, HEIGHT] = [120, 36];

/** The visitors of 30 days as a line, and as a sentence for screen readers. */
export function Sparkline({ points }: { points: readonly Point[] }) {
  const busiest = points.reduce((top, point) => (point.visitors > top.visitors ? point : top), {
    date: '',
    visitors: 0,
  });
  const scale = (HEIGHT - 2) / Math.max(busiest.visitors, 1);
  const line = points
    .map(
      ({ visitors }, i) =>
        `${((i / (points.length - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 1 - visitors * scale).toFixed(1)}`,
    )
    .join(' ');
  const sentence =
    busiest.visitors === 0
      ? 'No visitors in 30 days'
      : `Visitors on each of 30 days, most on ${dayShort(busiest.date)} with ${number(busiest.visitors)}`;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sentence}
    >
      <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
      <polyline points={line} />
    </svg>
  );
}
