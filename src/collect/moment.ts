import type { Moment } from '../engine/activity.ts';
import { DAY } from '../lib/time.ts';
import { dayOfSite, type SiteZone } from '../lib/zone.ts';

/** What comes now, at `at` in seconds since 1970, is of the running day of the site. */
export function findMoment(site: SiteZone, at: number): Moment {
  const day = dayOfSite(site, at);
  return { day, second: at - day * DAY };
}
