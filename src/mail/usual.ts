import { DAY, HOUR, WEEK } from '../lib/time.ts';
import { dayOfSite, findZone, type SiteZone } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import type { Hour } from '../stats/measured.ts';
import { LEAST_WEEKS, WEEKS } from '../stats/unusual.ts';

/** A week more, because a silence may have begun some days ago. */
const DAYS = (WEEKS + 1) * 7;

/**
 * The visitors of a site by the hour. All times are those that the clocks of its zone show, so that eight o'clock is compared with eight
 * o'clock; only lastHit is an instant. from is the beginning of the day of its first hit in these weeks.
 */
export type History = { from: number | undefined; lastHit: number | undefined; at(hour: number): Came };

type Came = Pick<Hour, 'visitors' | 'arrivals'>;

type Site = { id: number } & SiteZone;

/** Of the weeks up to the day of an instant, which is included. */
export async function historyOf(ask: Ask, site: Site, upTo: number): Promise<History> {
  const { id: siteId, timeZone } = site;
  const today = findZone(timeZone).dateAt(upTo);
  const range = { from: today - DAYS, to: Math.max(today, dayOfSite(site, upTo)) + 1 };
  const { days } = await ask({ report: 'hours', timeZone, siteId, range, filters: {} });
  const byHour = new Map<number, Came>();
  for (const { hour, visitors, arrivals } of days.flatMap(({ hours }) => hours)) {
    const known = byHour.get(hour);
    // Days of two zones may have a part of the same hour.
    byHour.set(hour, {
      visitors: visitors + (known?.visitors ?? 0),
      arrivals: arrivals + (known?.arrivals ?? 0),
    });
  }
  return {
    from: days[0] && days[0].day * DAY,
    lastHit: days.length > 0 ? Math.max(...days.map(({ day, last }) => day * DAY + last)) : undefined,
    at: (hour) => byHour.get(hour / HOUR) ?? { visitors: 0, arrivals: 0 },
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
    arrivals += part * history.at(hour).arrivals;
  }
  return arrivals;
}
