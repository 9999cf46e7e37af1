import * as v from 'valibot';
import { DAY } from '../lib/time.ts';
import { previous, type Range } from '../stats/question.ts';
import { daysNamed, rangeBetween } from './question.ts';

/** The same date a year before, or 28 February. */
function yearBefore(day: number): number {
  const date = new Date(day * DAY * 1000);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / 1000 / DAY;
}

/** The words for what a range is compared with. */
const WORDS: Record<string, (range: Range) => Range> = {
  previous,
  year: ({ from, to }) => ({ from: yearBefore(from), to: yearBefore(to - 1) + 1 }),
  none: ({ from }) => ({ from, to: from }),
};

export const Compare = v.optional(
  daysNamed(
    'compare',
    Object.keys(WORDS),
    'previous (as many days just before), year (the same dates a year before), none',
  ),
  'previous',
);

/** The days that a range is compared with; none of them where it is compared with none. */
export const comparedWith = (compare: string, range: Range): Range =>
  (Object.hasOwn(WORDS, compare) ? WORDS[compare]?.(range) : undefined) ?? rangeBetween(compare);
