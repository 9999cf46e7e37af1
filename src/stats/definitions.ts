// The definitions of a visit, a bounce and "now", for both engines, imports and exports.
//
// Example: a visitor with hits at seconds 0, 1,800 and 3,601 has two visits. The last hit begins the second visit,
// because it arrives 1,801 s after the previous hit. A visitor with a hit at second 700 is "there now" until second
// 1,000. The ledger calls these functions, and the cluster builds its SQL from the same numbers. Test:
// test/stats/definitions.test.ts.

/** The longest pause inside a visit, in seconds. A visit ends if neither a hit nor a heartbeat follows in that time. */
export const VISIT_GAP = 1_800;

export const BOUNCE = { pageviews: 1, events: 0 } as const;

/**
 * The pageviews of a bounce plus twice its events, which is 1. No other visit has this sum. For two million visits,
 * comparing the sum takes 2 ms, but calling `isBounce` takes 12 ms.
 */
export const BOUNCE_SUM = BOUNCE.pageviews + 2 * BOUNCE.events;

export const isBounce = (pageviews: number, events: number): boolean =>
  pageviews === BOUNCE.pageviews && events === BOUNCE.events;

/**
 * The number of seconds that "now" lasts. A visitor with a hit in the last five minutes is "there now". A hit in the
 * current second counts too.
 */
export const LIVE_SECONDS = 300;

export const findLiveStart = (now: number): number => now - LIVE_SECONDS;

/**
 * The number of minutes in the report `live`. Each minute begins at second 0 of the clock. Therefore its counts never
 * change after it is over.
 */
export const LIVE_MINUTES = 30;

/** The number of rows that the report `live` has for each breakdown. */
export const LIVE_ROWS = 10;

/**
 * Returns the first second that the report `live` counts. This second is the first of a minute. Example: at second
 * 3,659, the report counts the 30 minutes that began at second 1,860.
 */
export const findMinutesStart = (now: number): number => (Math.floor(now / 60) - LIVE_MINUTES + 1) * 60;
