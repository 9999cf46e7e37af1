// What a visit, a bounce and "now" are, for both engines, imports and exports.
//
// A visitor with hits at second 0, 1,800 and 3,601 has two visits: the last hit comes 1,801 s after the one before it. A visit with one
// pageview and no event is a bounce. A visitor with a hit at second 700 is there now until second 1,000. The ledger calls these functions,
// and the cluster makes its SQL from the same numbers. Test: test/stats/definitions.test.ts.

/** More seconds than this without a hit or heartbeat end a visit. */
export const VISIT_GAP = 1_800;

/** The counts of a visit that bounced. */
export const BOUNCE = { pageviews: 1, events: 0 } as const;

/**
 * Hits plus events of a bounce. No other visit has this sum, because each visit has a hit. Loops over visits compare with it: two million
 * visits take 2 ms, and with a call each 12 ms.
 */
export const BOUNCE_SUM = BOUNCE.pageviews + 2 * BOUNCE.events;

export const isBounce = (pageviews: number, events: number): boolean =>
  pageviews === BOUNCE.pageviews && events === BOUNCE.events;

/** A visitor with a hit in the last five minutes is there now. Hits of the second `now` count too. */
export const LIVE_SECONDS = 300;

/** Finds the second since which a hit makes its visitor one of now. */
export const findLiveStart = (now: number): number => now - LIVE_SECONDS;

/** The live view shows so many minutes. They are minutes of the clock, so a minute does not change once it is over. */
export const LIVE_MINUTES = 30;

/** The live view shows so many rows of each breakdown. */
export const LIVE_ROWS = 10;

/** Finds when the first shown minute began. At second 3,659 it began at second 1,860. */
export const findMinutesStart = (now: number): number => (Math.floor(now / 60) - LIVE_MINUTES + 1) * 60;
