import type { TextField } from '../stats/dimensions.ts';

/**
 * A date and a time of a site. `day` is the date in the site's zone, as days since 1970. `second` counts from 00:00 UTC
 * of that date, so both together are an instant. It is negative before 00:00 UTC and above 86,399 after 24:00 UTC.
 */
export type Moment = { day: number; second: number };

type OfVisitor = Moment & { siteId: number; visitor: number };

/** A pageview, or an event if `event` is not empty. */
export type Hit = OfVisitor & Record<TextField, string>;

/**
 * A page was visible for `engaged` more seconds, which extends its visit but is no hit. `isClaimed` means that the
 * seconds are the browser's word: this machine does not know the visit.
 */
type Heartbeat = OfVisitor & { page: string; engaged: number; isClaimed?: boolean };

export type Activity = Hit | Heartbeat;

export const isHit = (activity: Activity): activity is Hit => !('engaged' in activity);

/** How often an AI crawler requested a page on one day. */
export type Crawl = { siteId: number; day: number; crawler: string; page: string; requests: number };

/** Dropped hits with their reason. */
export type Drop = { siteId: number; day: number; reason: string; hits: number };

/** The reason for dropping hits of a day that is full. */
export const DAY_FULL = 'day-full';

/**
 * A visit for exports. `visitor` is a number that all visits of one visitor on that day share, and no other day uses.
 */
export type Visit = Readonly<Record<Exclude<TextField, 'page' | 'event' | 'label'>, string>> & {
  visitor: number;
  seconds: number;
  hits: readonly VisitHit[];
  /** Whether an exclusion excludes it. */
  excluded: boolean;
};
export type VisitHit = Readonly<{ second: number; page: string; event: string; label: string; engaged: number }>;
export type DayVisits = { day: number; visits: Iterable<Visit> };
