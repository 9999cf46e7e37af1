import type { Point } from '../site/points.ts';
import type { Span } from '../site/range.ts';

/** Below it a day is not worth a question; the server measures exactly, by weekday. */
const TIMES = 2;

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The one day that a range is of, or that has far more than the others; the server is asked about that day only. A note says why there are so many. */
export function standingOut({ from, to }: Span, points: readonly Point[]): string | undefined {
  const noted = new Set(points.flatMap(({ notes }) => notes.map(({ date }) => date)));
  if (from === to) return noted.has(from) ? undefined : from;
  const days = points.flatMap(({ interval, date, value }) =>
    interval === 'day' && value !== null ? [{ date, value }] : [],
  );
  const top = days
    .filter(({ date }) => !noted.has(date))
    .reduce((most, one) => (one.value > most.value ? one : most), { date: '', value: 0 });
  const usual = middleOf(days.map(({ value }) => value));
  return top.value > usual * TIMES ? top.date : undefined;
}
