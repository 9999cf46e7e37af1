// Reports such as the overview compare a range with the days before, the days a year before, or named days. With
// `compare=none`, nothing is compared.
//
// By default, a range is compared with the same number of days just before it. For 8 to 14 March, these are 1 to 7
// March. With `compare=year`, they are 8 to 14 March of the year before.
//
// If the range ends today, its last day is not over yet, but the last compared day is over. With `compare_until=now`,
// the last compared day counts only up to the present time of day. `stats.ts`, `all-sites.ts`, `explain.ts` and
// `table.ts` call `chooseCompared`.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { DAY } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import { type Compared, findPrevious, type Range } from '../stats/query.ts';
import { makeDaysSchema, readDays } from './query.ts';

const WORDS: Record<string, (range: Range) => Range> = {
  previous: findPrevious,
  year: ({ from, to }) => ({ from: goBackYear(from), to: goBackYear(to - 1) + 1 }),
  none: ({ from }) => ({ from, to: from }),
};

const DESCRIPTIONS: Record<string, string> = {
  previous: 'previous (as many days before)',
  year: 'year (a year before)',
  none: 'none',
};

/** Makes the schema of a comparison. A report that needs a comparison does not offer the word `none`. */
export const makeCompare = (words: readonly string[]) =>
  makeDaysSchema('compare', words, words.map((word) => DESCRIPTIONS[word]).join(', '));

export const Compare = makeCompare(Object.keys(WORDS));

export const CompareParameters = {
  compare: v.optional(Compare, 'previous'),
  compare_until: v.optional(
    v.pipe(
      v.picklist(['now'], fault('not_just', { word: 'now' })),
      v.description('now: if the range ends today, up to the same time'),
    ),
  ),
};
type CompareQuery = v.InferOutput<ReturnType<typeof v.object<typeof CompareParameters, undefined>>>;

/**
 * Chooses the days to compare with. With `compare=none`, the result is an empty range.
 *
 * In a report over all sites, a range may end with a day that has not begun at `site`. This site has no hits of that
 * day yet. So with `compare_until=now`, that day is compared with no day. In such a report, `latest` is the latest day
 * that has begun anywhere on Earth. In a report about one site, `latest` is the present day of the site.
 */
export function chooseCompared(
  { compare, compare_until }: CompareQuery,
  range: Range,
  site: SiteZone,
  now: number,
  latest = findSiteDay(site, now),
): Compared {
  const days = (Object.hasOwn(WORDS, compare) ? WORDS[compare]?.(range) : undefined) ?? readDays(compare);
  const today = findSiteDay(site, now);
  const daysToCome = range.to - 1 - today;
  const isCut = compare_until !== undefined && daysToCome >= 0 && range.to - 1 <= latest && days.from < days.to;
  if (!isCut) return days;
  const last = days.to - 1 - daysToCome;
  if (last < days.from) return { from: days.from, to: days.from };
  return { from: days.from, to: last + 1, until: findSecondAfterNow(site, now, today, last) };
}

/**
 * Finds where the present time of day falls in the earlier day `day`. At 15:00:00 in the time zone of the site, hits
 * until 15:00:00 of `day` count. So 15:00:01 is the first second that does not count. Returns this second, in seconds
 * after 00:00 UTC of `day`.
 */
function findSecondAfterNow({ timeZone }: SiteZone, now: number, today: number, day: number): number {
  const { localAt, findInstant } = findZone(timeZone);
  return findInstant(localAt(now) + (day - today) * DAY) + 1 - day * DAY;
}

/** Goes back by one year. For example, 29 February 2028 becomes 28 February 2027. */
function goBackYear(day: number): number {
  const date = new Date(day * DAY * 1000);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / 1000 / DAY;
}
