import { ECHO_DAYS } from '../../../stats/unusual.ts';
import type { Span } from '../../dates/range.ts';
import type { Point } from '../model/points.ts';

/**
 * If a day has more than `TIMES` times the visitors of the median day, its traffic may be unusual. Then the page asks
 * the server, which compares the day more exactly, with earlier days of the same weekday.
 */
const TIMES = 2;

/**
 * Finds the one day that may have unusual traffic. In a range of a single day, the result is this day, unless the day
 * has a note. In a longer range, the result is the day with the most visitors, if it has enough (`TIMES`). Days with a
 * note, and the two days after a note, are left out, because the note explains their traffic. Notes before the range
 * are not known here, so the server checks for notes again.
 */
export function findOutlierDay({ from, to }: Span, points: readonly Point[]): string | undefined {
  const isNoted = ({ notes }: Point): boolean => notes.length > 0;
  if (from === to) return points.some(({ notes }) => notes.some(({ date }) => date === from)) ? undefined : from;
  const days = points.flatMap(({ interval, date, value }, i) =>
    interval === 'day' && value !== null
      ? [{ date, value, isExplained: points.slice(Math.max(0, i - ECHO_DAYS), i + 1).some(isNoted) }]
      : [],
  );
  const top = days
    .filter(({ isExplained }) => !isExplained)
    .reduce((most, one) => (one.value > most.value ? one : most), { date: '', value: 0 });
  const usual = middleOf(days.map(({ value }) => value));
  return top.value > usual * TIMES ? top.date : undefined;
}

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
