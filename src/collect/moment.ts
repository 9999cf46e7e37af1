import type { Moment } from '../engine/activity.ts';
import { DAY } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';

/**
 * Finds the date in the site's time zone at the moment `at`. `second` counts from 00:00 UTC of that date. In Tokyo, the
 * day begins 9 hours earlier, so `second` may be negative.
 */
export function findMoment(site: SiteZone, at: number): Moment {
  const day = findSiteDay(site, at);
  return { day, second: at - day * DAY };
}
