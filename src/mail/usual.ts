import { DAY, HOUR, WEEK } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import { type DayHours, noHours } from '../stats/measured.ts';

/** An hour is compared with the same hour of so many weeks before, if at least LEAST_WEEKS of them are known. */
const WEEKS = 8;
const LEAST_WEEKS = 4;
/** A week more, because a silence may have begun some days ago. */
const DAYS = (WEEKS + 1) * 7;

/** The visitors of a site by the hour; from is the day of its first hit in these weeks. */
export type History = { from: number | undefined; lastHit: number | undefined; day(day: number): DayHours };

/** Of the weeks up to a day, which is included. */
export async function historyOf(ask: Ask, siteId: number, upTo: number): Promise<History> {
  const range = { from: upTo - DAYS, to: upTo + 1 };
  const { days } = await ask({ report: 'hours', siteId, range, filters: {} });
  const byDay = new Map(days.map((one) => [one.day, one]));
  const [first, last] = [days[0], days.at(-1)];
  return {
    from: first && first.day * DAY,
    lastHit: last && last.day * DAY + last.last,
    day: (day) => byDay.get(day) ?? noHours(day),
  };
}

/** The same moment of each week before, from the first hit of the site on; none where these are too few. */
export function weeksBefore({ from }: History, moment: number): number[] {
  const moments = Array.from({ length: WEEKS }, (_, i) => moment - (i + 1) * WEEK);
  const covered = moments.filter((one) => from !== undefined && one >= from);
  return covered.length < LEAST_WEEKS ? [] : covered;
}

/** How many came between two moments, each person once a day. Of an hour that is only partly in between, that part counts. */
export function arrivalsBetween(history: History, from: number, to: number): number {
  let arrivals = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const part = (Math.min(hour + HOUR, to) - Math.max(hour, from)) / HOUR;
    arrivals += part * (history.day(Math.floor(hour / DAY)).arrivals[(hour % DAY) / HOUR] ?? 0);
  }
  return arrivals;
}

/** Outliers do not move it. 0 of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
