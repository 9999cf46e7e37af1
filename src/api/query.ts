// Reads the days and the common parameters of a query in a URL.
//
// A range is a word or two days: `today`, `7d`, `last-month` or `2026-01-01~2026-01-31`. Days are numbered since 1
// January 1970, and the end of a range is not part of it. If today is day 20,000, `7d` is { from: 19,994, to: 20,001 }.
// A range is shorter than two years.
//
// A word such as `today` depends on the time zone of the site. So the caller passes the present day of the site. Every
// report about a range of days calls `readRange`.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { DAY, formatDay, isDay, parseDay } from '../lib/time.ts';
import type { Range } from '../stats/query.ts';
import { FilterParameters } from './filters.ts';
import { whole } from './input.ts';

const firstOfMonth = (year: number, month: number): number => Date.UTC(year, month - 1, 1) / 1000 / DAY;

type Today = { today: number; year: number; month: number };

/**
 * Ranges that a query can name with a word. They depend on the present day of the site. `12m` is this month and the 11
 * months before.
 */
const WORDS: Record<string, (now: Today) => Range> = {
  today: ({ today }) => ({ from: today, to: today + 1 }),
  yesterday: ({ today }) => ({ from: today - 1, to: today }),
  '7d': ({ today }) => ({ from: today - 6, to: today + 1 }),
  '30d': ({ today }) => ({ from: today - 29, to: today + 1 }),
  '12m': ({ today, year, month }) => ({ from: firstOfMonth(year, month - 11), to: today + 1 }),
  month: ({ today, year, month }) => ({ from: firstOfMonth(year, month), to: today + 1 }),
  'last-month': ({ year, month }) => ({ from: firstOfMonth(year, month - 1), to: firstOfMonth(year, month) }),
  year: ({ today, year }) => ({ from: firstOfMonth(year, 1), to: today + 1 }),
  'last-year': ({ year }) => ({ from: firstOfMonth(year - 1, 1), to: firstOfMonth(year, 1) }),
  // A range is shorter than two years, so `all` is the longest range that ends today.
  all: ({ today }) => ({ from: today - 729, to: today + 1 }),
};

/** The words for one month or one year of the calendar. */
const OF_MONTHS = ['month', 'last-month', 'year', 'last-year'];

export const RangeName = makeDaysSchema(
  'range',
  Object.keys(WORDS),
  'today, 30d, month (until today), last-month, all (730 days)',
);

export const ReportParameters = {
  range: v.optional(RangeName, '30d'),
  ...FilterParameters,
};
export const ReportQuery = v.strictObject(ReportParameters);
export type ReportQuery = v.InferOutput<typeof ReportQuery>;

export const Limit = v.optional(whole(1, 100, fault('out_of_bounds', { least: 1, most: 100 })), '10');

/**
 * Reads two days such as 2026-01-01~2026-01-31. Both days belong to the range. The end `to` of a range does not, so
 * `to` is the day after the second day.
 */
export function readDays(days: string): Range {
  const [first = '', last = ''] = days.split('~');
  return { from: parseDay(first), to: parseDay(last) + 1 };
}

/**
 * Reads a range: a word, or two days. `own` is the present day of the site. Example: `7d` is today and the 6 days
 * before.
 *
 * In a report over several sites, `latest` is the latest present day of all sites. This day decides the month or year
 * of all sites. Otherwise `last-month` could add March of a site in Tokyo to February of a site in New York
 * (test/api/all-sites.test.ts).
 */
export function readRange(range: string, own: number, latest = own): Range {
  const today = OF_MONTHS.includes(range) ? latest : own;
  const [year = 0, month = 0] = formatDay(today * DAY)
    .split('-')
    .map(Number);
  const find = Object.hasOwn(WORDS, range) ? WORDS[range] : undefined;
  return find?.({ today, year, month }) ?? readDays(range);
}

export function makeDaysSchema(format: string, words: readonly string[], description: string) {
  const help = fault('no_range', { words: words.join(', ') });
  const findFault = (typed: string) => (words.includes(typed) ? undefined : findDaysFault(typed, help));
  return v.pipe(
    v.string(),
    v.check(
      (typed) => findFault(typed) === undefined,
      ({ input }) => findFault(input) ?? help,
    ),
    v.metadata({
      format,
      pattern: `^(?:${words.join('|')}|[0-9]{4}-[0-9]{2}-[0-9]{2}~[0-9]{4}-[0-9]{2}-[0-9]{2})$`,
      description: `${description}, or days such as 2026-01-01~2026-01-31, less than two years`,
    }),
  );
}

/** Finds the fault in two days such as 2026-01-01~2026-01-31. Returns undefined if they are right. */
function findDaysFault(days: string, help: string): string | undefined {
  const [first = '', last = '', ...more] = days.split('~');
  if (!isDay(first) || !isDay(last) || more.length > 0) return help;
  const end = new Date(`${first}T00:00:00Z`);
  end.setUTCFullYear(end.getUTCFullYear() + 2);
  if (first < '1000') return fault('year_of_digits');
  if (last < first) return fault('range_backwards');
  return parseDay(last) * DAY * 1000 < end.getTime() ? undefined : fault('range_too_long');
}
