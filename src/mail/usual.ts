// The usual visitors of a site by hour, over the last 8 weeks. The alerts silence.ts and traffic.ts compare with
// them.

import { DAY, HOUR, WEEK } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Hour } from '../stats/aggregates.ts';
import type { Ask } from '../stats/ask.ts';
import { LEAST_WEEKS, WEEKS } from '../stats/unusual.ts';

/** The days that are read. One more week is read, because a silence may have begun days ago. */
const DAYS = (WEEKS + 1) * 7;

/**
 * The visitors of a site by hour, in local time of the site. So eight o'clock is compared with eight o'clock, in summer and in winter.
 * `lastHit` is an instant in UTC. `from` is the beginning of the first day that has a hit.
 */
export type History = { from: number | undefined; lastHit: number | undefined; at(hour: number): Came };

type Came = Pick<Hour, 'visitors' | 'arrivals'>;

type Site = { id: number } & SiteZone;

/** Reads the history up to the day of an instant, that day included. */
export async function readHistory(ask: Ask, site: Site, upTo: number): Promise<History> {
  const { id: siteId, timeZone } = site;
  const today = findZone(timeZone).dateAt(upTo);
  const range = { from: today - DAYS, to: Math.max(today, findSiteDay(site, upTo)) + 1 };
  const { days } = await ask({ report: 'hours', timeZone, siteId, range, filters: {} });
  const byHour = new Map<number, Came>();
  for (const { hour, visitors, arrivals } of days.flatMap(({ hours }) => hours)) {
    const known = byHour.get(hour);
    // After a change of the zone, two days may each have a part of one hour.
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

/** Lists the moments one week, two weeks, … before a moment, as far as the site has hits. Fewer than 4 weeks give none. */
export function weeksBefore({ from }: History, moment: number): number[] {
  const moments = Array.from({ length: WEEKS }, (_, i) => moment - (i + 1) * WEEK);
  const covered = moments.filter((one) => from !== undefined && one >= from);
  return covered.length < LEAST_WEEKS ? [] : covered;
}

/** Counts the visitors between two moments, each once a day. Of a half hour at the end, half the visitors count. */
export function arrivalsBetween(history: History, from: number, to: number): number {
  let arrivals = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const part = (Math.min(hour + HOUR, to) - Math.max(hour, from)) / HOUR;
    arrivals += part * history.at(hour).arrivals;
  }
  return arrivals;
}
