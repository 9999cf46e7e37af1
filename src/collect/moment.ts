import type { Moment } from '../engine/activity.ts';
import { DAY } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';

/** Finds the day of a site to which a moment belongs, and the second since 00:00 UTC of that day number. */
export function findMoment(site: SiteZone, at: number): Moment {
  const day = findSiteDay(site, at);
  return { day, second: at - day * DAY };
}
