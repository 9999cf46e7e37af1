// This file defines what a visit, a bounce and "now" are, for both engines (SQLite and ClickHouse), imports and
// exports.
//
// Example: a visitor with hits at seconds 0, 1,800 and 3,601 has two visits. The last hit begins the second visit,
// because it comes 1,801 s after the hit before it. A visit with one pageview and no event is a bounce. A visitor with
// a hit at second 700 is "there now" until second 1,000. The engine on SQLite calls these functions, and the cluster
// builds its SQL from the same numbers. Test: test/stats/definitions.test.ts.

/**
 * The longest pause inside a visit, in seconds. A visit ends if no hit and no heartbeat follows in that time. A
 * heartbeat is a message that the page is still visible.
 */
export const VISIT_GAP = 1_800;

/** The counts of a bounce. A visit with exactly these counts is one. */
export const BOUNCE = { pageviews: 1, events: 0 } as const;

/**
 * The pageviews of a bounce plus twice its events, which is 1. No other visit has this sum, because an event counts
 * twice. Loops compare with this number, which takes 2 ms for two million visits. Calling a function for each visit
 * takes 12 ms.
 */
export const BOUNCE_SUM = BOUNCE.pageviews + 2 * BOUNCE.events;

export const isBounce = (pageviews: number, events: number): boolean =>
  pageviews === BOUNCE.pageviews && events === BOUNCE.events;

/** A visitor with a hit in the last five minutes is "there now". A hit in the current second counts too. */
export const LIVE_SECONDS = 300;

/** Gives the earliest second of the last five minutes. A visitor with a hit since then is "there now". */
export const findLiveStart = (now: number): number => now - LIVE_SECONDS;

/**
 * The number of minutes in the live view. Each is a whole minute of the clock, so the counts of a past minute never
 * change.
 */
export const LIVE_MINUTES = 30;

/** The number of rows that the live view shows for each breakdown. */
export const LIVE_ROWS = 10;

/**
 * Gives the second in which the live view begins, at a full minute. For example, at second 3,659 the 30 minutes began
 * at second 1,860.
 */
export const findMinutesStart = (now: number): number => (Math.floor(now / 60) - LIVE_MINUTES + 1) * 60;
