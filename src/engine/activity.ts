// Defines what an engine takes (hits, heartbeats, requests of crawlers, dropped hits), and the visits of an export.
//
// Invariant: nothing here names a person. A visitor is a number that is valid for one site and one day.
//
// Example: a visitor reads a page for 30 s. The page sends a hit, and then a heartbeat with 30 engaged seconds.
import type { HitTextField, TextField, VisitTextField } from '../stats/dimensions.ts';

/**
 * A time at a site. `day` is the date in the site's time zone, in days since 1970. `second` counts from 00:00 UTC of
 * that date, so it may be negative. For example, 08:00 in Tokyo is 23:00 UTC of the day before, so `second` is -3,600.
 */
export type Moment = { day: number; second: number };

type OfVisitor = Moment & { siteId: number; visitor: number };

/**
 * A pageview or an event. If `event` is empty, the hit is a pageview. Otherwise, the hit is an event, such as a
 * sign-up.
 */
export type Hit = OfVisitor & Record<TextField, string>;

/**
 * A message that a page was visible for `engaged` more seconds. `scroll` is how much of the page was seen, in percent
 * of its height. `isClaimed` is true if this server could not check the seconds, because it does not know the whole
 * visit. `vitals` has the packed web vitals of the page (src/stats/vitals.ts).
 */
type Heartbeat = OfVisitor & {
  page: string;
  engaged: number;
  scroll?: number | undefined;
  isClaimed?: boolean;
  vitals?: number;
};

export type Activity = Hit | Heartbeat;

export const isHit = (activity: Activity): activity is Hit => !('engaged' in activity);

export type Crawl = { siteId: number; day: number; crawler: string; page: string; requests: number };

/**
 * Dropped hits of a site and day. If a block dropped them, `block` is its id. For any other reason, `block` is 0 or
 * undefined.
 */
export type Drop = { siteId: number; day: number; reason: string; block?: number | undefined; hits: number };

/** The reason for dropping a hit of a site that already has the maximum number of hits for the day. */
export const DAY_FULL = 'day-full';

/**
 * A visit for exports. All visits of a person on one day have the same number `visitor`. The number is valid only for
 * that day, so nobody can follow a person over several days.
 */
export type Visit = Readonly<Record<VisitTextField, string>> & {
  visitor: number;
  seconds: number;
  hits: readonly VisitHit[];
  /** True if an exclusion leaves this visit out of all reports. */
  excluded: boolean;
};
/**
 * A hit of a visit for exports. `scroll` is undefined if no heartbeat reported a depth. `vitals` has the packed web
 * vitals of a pageview, or 0.
 */
export type VisitHit = Readonly<
  Record<HitTextField, string> & { second: number; engaged: number; scroll: number | undefined; vitals: number }
>;
export type DayVisits = { day: number; visits: Iterable<Visit> };
