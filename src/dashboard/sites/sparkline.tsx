import type { Point } from '../../api/answers.ts';
import { dayShort, number } from '../core/format.ts';
import { t } from '../core/texts.ts';

const [WIDTH, HEIGHT] = [120, 36];

/**
 * Draws the visitors of 30 days as a line. Screen readers read a sentence instead. The part for today is grey, because
 * the day has not ended.
 */
export function Sparkline({ points }: { points: readonly Point[] }) {
  const over = points.slice(0, -1);
  const none = { date: '', visitors: 0 };
  const busiest = over.reduce((top, point) => (point.visitors > top.visitors ? point : top), none);
  const today = points.at(-1)?.visitors ?? 0;
  const scale = (HEIGHT - 2) / Math.max(busiest.visitors, today, 1);
  const places = points.map(({ visitors }, i): [x: number, y: number] => [
    (i / (points.length - 1)) * WIDTH,
    HEIGHT - 1 - visitors * scale,
  ]);
  const line = (some: typeof places): string => some.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [edge = 0] = places.at(-2) ?? [];
  const values = { day: busiest.date && dayShort(busiest.date), most: number(busiest.visitors), today: number(today) };
  const sentence =
    busiest.visitors === 0
      ? t('No visitors on the days before today. Visitors today so far: {today}', values)
      : t('Visitors per day over 30 days. Highest: {most} on {day}. Today so far: {today}', values);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sentence}
    >
      <polygon points={`0,${HEIGHT} ${line(places.slice(0, -1))} ${edge.toFixed(1)},${HEIGHT}`} />
      <polyline points={line(places.slice(0, -1))} />
      <polyline class="sparkline-today" points={line(places.slice(-2))} />
    </svg>
  );
}
