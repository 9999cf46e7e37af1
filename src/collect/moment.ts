import type { Moment } from '../engine/activity.ts';
import { DAY } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';

/** Converts an instant to a day and second of a site. A hit of now is always of the site's running day. */
export function findMoment(site: SiteZone, at: number): Moment {
  const day = findSiteDay(site, at);
  return { day, second: at - day * DAY };
}
