import type { Point } from '../site/points.ts';
import type { Span } from '../site/range.ts';

/**
 * The server is asked about a day only if it has more visitors than this many times the median. The server then compares
 * exactly, with equal weekdays.
 */
const TIMES = 2;

/**
 * Finds the day about which to ask the server for unusual traffic. In a range of one day it is that day, and in a longer range
 * the day with the most visitors. Days with a note are left out, because the note explains the traffic.
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
