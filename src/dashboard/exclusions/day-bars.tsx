import type { Preview } from '../../api/exclusions.ts';
import { day, dayShort } from '../core/format.ts';
import { plural, t } from '../core/texts.ts';
import { dayAfter, daysIn } from '../dates/days.ts';
import type { Span } from '../dates/range.ts';

const [WIDTH, HEIGHT] = [600, 96];

/** With more days, bars would be too thin, so only days with visits get a bar. */
const MOST_DAYS = 370;

type Days = Pick<Preview['days'][number], 'date' | 'visits'>[];

/** Draws a bar for each day. A bar shows how many visits the exclusion would leave out of the reports. */
export function DayBars({ days: found, span }: { days: Days; span: Span }) {
  const days = filled(found, span);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const busiest = days.reduce((top, one) => (one.visits > top.visits ? one : top));
  const step = WIDTH / days.length;
  const scale = (HEIGHT - 1) / Math.max(busiest.visits, 1);
  return (
    <figure class="day-bars">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Visits per day. Highest: {visits} on {day}', { day: day(busiest.date), visits: busiest.visits })}
      >
        {days.map(({ date, visits }, i) => (
          <rect
            key={date}
            x={i * step + step * 0.1}
            y={HEIGHT - visits * scale}
            width={step * 0.8}
            height={visits * scale}
          >
            <title>{plural(visits, '{day}: {count} visit', '{day}: {count} visits', { day: day(date) })}</title>
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

function filled(days: Days, { from, to }: Span): Days {
  const count = from <= to ? daysIn(from, to) : 0;
  if (count > MOST_DAYS) return days;
  const visits = new Map(days.map((one) => [one.date, one.visits]));
  return Array.from({ length: count }, (_, i) => dayAfter(from, i)).map((date) => ({
    date,
    visits: visits.get(date) ?? 0,
  }));
}
