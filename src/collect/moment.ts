import type { Moment } from '../engine/activity.ts';
import { DAY } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';

/**
 * Finds the day of a site to which a moment belongs. `second` counts from 00:00 UTC on the date of this day, so it may
 * be negative or above 86,400.
 */
export function findMoment(site: SiteZone, at: number): Moment {
  const day = findSiteDay(site, at);
  return { day, second: at - day * DAY };
}
