import type { TextField } from '../stats/dimensions.ts';

/**
 * `day` is a date in the zone of the site, as days since 1970. `second` counts from 00:00 UTC of that date, so that both are an
 * instant in any zone: it is negative where the day began before that, and beyond 86,399 where it ends after it.
 */
export type Moment = { day: number; second: number };

type OfVisitor = Moment & { siteId: number; visitor: number };

/** A pageview, or an event if `event` is not empty. */
export type Hit = OfVisitor & Record<TextField, string>;

/**
 * The page was visible for `engaged` more seconds. This is no hit, but it extends the visit. Where the visit is not known to whoever
 * took it, that is only what the browser claims.
 */
type Heartbeat = OfVisitor & { page: string; engaged: number; isClaimed?: boolean };

export type Activity = Hit | Heartbeat;

export const isHit = (activity: Activity): activity is Hit => !('engaged' in activity);

/** How often an AI crawler requested a page on one day. */
export type Crawl = { siteId: number; day: number; crawler: string; page: string; requests: number };

/** Hits that were not counted, and why. */
export type Drop = { siteId: number; day: number; reason: string; hits: number };

/** Why a hit is dropped on a day that is full. */
export const DAY_FULL = 'day-full';

/** A visit for exports. `visitor` is a number that is the same for all visits of a visitor on that day, and only there. */
export type Visit = Readonly<Record<Exclude<TextField, 'page' | 'event' | 'label'>, string>> & {
  visitor: number;
  seconds: number;
  hits: readonly VisitHit[];
  /** Whether an exclusion takes it. */
  excluded: boolean;
};
export type VisitHit = Readonly<{ second: number; page: string; event: string; label: string; engaged: number }>;
export type DayVisits = { day: number; visits: Iterable<Visit> };
