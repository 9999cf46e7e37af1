import type { Preview } from '../../api/exclusions.ts';
import { counted, day, dayShort } from '../format.ts';

const [WIDTH, HEIGHT] = [600, 96];

/** The visits that an exclusion would take, a bar for each day. */
export function DayBars({ days }: Pick<Preview, 'days'>) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const busiest = days.reduce((top, one) => (one.visits > top.visits ? one : top));
  const step = WIDTH / Math.max(days.length, 7);
  const scale = (HEIGHT - 1) / Math.max(busiest.visits, 1);
  return (
    <figure class="day-bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Visits by day, most on ${day(busiest.date)}: ${busiest.visits}`}
      >
        {days.map(({ date, visits }, i) => (
          <rect
            key={date}
            x={i * step + step * 0.1}
            y={HEIGHT - visits * scale}
            width={step * 0.8}
            height={visits * scale}
          >
            <title>{`${day(date)}: ${counted(visits, 'visit')}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{dayShort(first.date)}</span>
        {days.length > 1 && <span>{dayShort(last.date)}</span>}
      </figcaption>
    </figure>
  );
}
