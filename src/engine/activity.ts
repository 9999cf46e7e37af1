import type { TextField } from '../stats/dimensions.ts';

/**
 * A date and a time of a site. `day` is the date in the site's time zone, as the number of days since 1970. `second`
 * is counted from 00:00 UTC of that date. `second` is negative before 00:00 UTC, and above 86,399 after 24:00 UTC.
 */
export type Moment = { day: number; second: number };

type OfVisitor = Moment & { siteId: number; visitor: number };

/** A pageview. If `event` is not empty, the hit is an event. */
export type Hit = OfVisitor & Record<TextField, string>;

/**
 * A heartbeat says that a page was visible for `engaged` more seconds. A heartbeat extends a visit but is not a hit.
 * `isClaimed` means that only the browser says so: this server does not know the visit.
 */
type Heartbeat = OfVisitor & { page: string; engaged: number; isClaimed?: boolean };

export type Activity = Hit | Heartbeat;

export const isHit = (activity: Activity): activity is Hit => !('engaged' in activity);

export type Crawl = { siteId: number; day: number; crawler: string; page: string; requests: number };

export type Drop = { siteId: number; day: number; reason: string; hits: number };

/** The reason for dropping hits when a day of a site has its maximum number of hits. */
export const DAY_FULL = 'day-full';

/**
 * A visit for exports. All visits of a visitor on the same day have the same number in `visitor`. No other day uses
 * that number.
 */
export type Visit = Readonly<Record<Exclude<TextField, 'page' | 'event' | 'label'>, string>> & {
  visitor: number;
  seconds: number;
  hits: readonly VisitHit[];
  /** Whether an exclusion excludes this visit. */
  excluded: boolean;
};
export type VisitHit = Readonly<{ second: number; page: string; event: string; label: string; engaged: number }>;
export type DayVisits = { day: number; visits: Iterable<Visit> };
