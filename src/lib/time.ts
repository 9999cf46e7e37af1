// Times, dates and the clock. Times are in seconds since 1970. Only the clock, and what has MS in its name, is in
// milliseconds.
//
// Example: `iso(1767605400)` is 2026-01-05T09:30:00Z, and `parseDay('2026-01-05')` is day 20,458.

export type Clock = {
  /** Milliseconds since 1970. This time jumps if somebody sets the clock of the machine. */
  now(): number;
  /** Milliseconds of a timer that never jumps. So limits and waits use this timer. */
  tick(): number;
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

export const DAY_MS = DAY * 1000;

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);

/**
 * Writes a time such as 2026-01-05T09:30:00Z. An export writes the times of millions of hits. So the last date stays in
 * memory. Using it again takes a quarter of the time of making a `Date` for each hit.
 */
export function iso(second: number): string {
  const day = Math.floor(second / DAY);
  const rest = second - day * DAY;
  if (!Number.isInteger(rest)) return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
  if (day !== last.day) last = { day, date: new Date(day * DAY_MS).toISOString().slice(0, DATE_END) };
  return `${last.date}T${TWO[Math.floor(rest / HOUR)]}:${TWO[Math.floor(rest / MINUTE) % 60]}:${TWO[rest % 60]}Z`;
}

let last = { day: Number.NaN, date: '' };
/**
 * Where the date ends in a text such as 2026-01-05T00:00:00.000Z, counted from the end of the text. A year above 9999
 * has more characters.
 */
const DATE_END = -14;
const TWO = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));

/**
 * Makes a function that writes the header Date. Its text changes only once a second, so it is not made again for each
 * answer.
 */
export function makeHttpDates(clock: Clock): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = seconds(clock);
    if (now !== second) text = new Date(now * 1000).toUTCString();
    second = now;
    return text;
  };
}

export const formatDay = (second: number): string => iso(second).slice(0, 10);

export const parseDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const formatMonth = (second: number): string => iso(second).slice(0, 7);

/** Tells whether a date exists: true for 2024-02-29, and false for 2023-02-29. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && formatDay(time / 1000) === text;
}
