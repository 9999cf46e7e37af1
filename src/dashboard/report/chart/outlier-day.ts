import type { Span } from '../../dates/range.ts';
import type { Point } from '../model/points.ts';

/**
 * The server is asked about a day only if the day has more visitors than the median day, multiplied by this number. The
 * server then compares the day exactly, with days of the same weekday.
 */
const TIMES = 2;

/**
 * Finds the day that may have unusual traffic. In a range of one day, this is that day. In a longer range, this is the
 * day with the most visitors. A day with a note is left out, because the note explains the traffic.
 */
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

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
