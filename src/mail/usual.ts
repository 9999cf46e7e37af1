import { DAY, HOUR, WEEK } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import { type DayHours, noHours } from '../stats/measured.ts';

/** With what now is compared: the same hours of as many weeks before, and nothing where there are too few of them. */
const WEEKS = 8;
const LEAST_WEEKS = 4;
/** A week more, because a silence may have begun some days ago. */
const DAYS = (WEEKS + 1) * 7;

/** What is known of a site by the hour; from is the moment from which on it had hits at all. */
export type History = { from: number | undefined; lastHit: number | undefined; day(day: number): DayHours };

/** Up to a day, which is included. */
export async function historyOf(ask: Ask, siteId: number, upTo: number): Promise<History> {
  const range = { from: upTo - DAYS, to: upTo + 1 };
  const { days } = await ask({ report: 'hours', siteId, range, filters: {} });
  const known = new Map(days.map((one) => [one.day, one]));
  const [first, last] = [days[0], days.at(-1)];
  return {
    from: first && first.day * DAY,
    lastHit: last && last.day * DAY + last.last,
    day: (day) => known.get(day) ?? noHours(day),
  };
}

/** Moments the whole weeks before one, as far as the site was there; none where that are too few. */
export function weeksBefore({ from }: History, moment: number): number[] {
  const moments = Array.from({ length: WEEKS }, (_, i) => moment - (i + 1) * WEEK);
  const known = moments.filter((one) => from !== undefined && one >= from);
  return known.length < LEAST_WEEKS ? [] : known;
}

/** Who came between two moments, each person once a day; of an hour in part, its part. */
export function arrivalsBetween(history: History, from: number, to: number): number {
  let arrivals = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const part = (Math.min(hour + HOUR, to) - Math.max(hour, from)) / HOUR;
    arrivals += part * (history.day(Math.floor(hour / DAY)).arrivals[(hour % DAY) / HOUR] ?? 0);
  }
  return arrivals;
}

/** The middle of some numbers, which a few wild ones do not move; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
