import * as v from 'valibot';
import { DAY } from '../lib/time.ts';
import { previous, type Range } from '../stats/question.ts';
import { daysIn, faultOfDays } from './question.ts';

const COMPARE_HELP = 'Must be previous, year, none, or two days such as 2026-01-01~2026-01-31.';

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

const faultOf = (compare: string): string | undefined =>
  Object.hasOwn(WORDS, compare) ? undefined : faultOfDays(compare, COMPARE_HELP);

export const Compare = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (compare) => faultOf(compare) === undefined,
      ({ input }) => faultOf(input) ?? COMPARE_HELP,
    ),
    v.metadata({
      format: 'compare',
      pattern: '^(?:previous|year|none|[0-9]{4}-[0-9]{2}-[0-9]{2}~[0-9]{4}-[0-9]{2}-[0-9]{2})$',
      description:
        'previous (as many days just before), year (the same dates a year before), none, or two days such as 2026-01-01~2026-01-31, both included',
    }),
  ),
  'previous',
);

/** The days that a range is compared with; none of them where it is compared with none. */
export const comparedWith = (compare: string, range: Range): Range =>
  (Object.hasOwn(WORDS, compare) ? WORDS[compare]?.(range) : undefined) ?? daysIn(compare);
