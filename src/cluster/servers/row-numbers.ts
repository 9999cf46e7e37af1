/** A millisecond has room for so many numbers. So a row of a later moment has a higher number, on any machine. */
const PER_MS = 16;
/** The last digits of a number say which outbox gave it: two numbers of one outbox are so far apart. */
export const SENDERS = 64;

/** The lowest number that a row of a moment may have. */
export const sequenceAt = (now: number): number => now * PER_MS * SENDERS;

/** A heartbeat that only a browser claims has so much more in `engaged`. */
export const CLAIMED = 2 ** 31;
