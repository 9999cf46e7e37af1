export type Clock = {
  /** Milliseconds since 1970. This clock may jump if somebody sets the time. */
  now(): number;
  /**
   * Milliseconds since an unknown moment. This timer never jumps when somebody sets the clock, so limits and waits use
   * it.
   */
  tick(): number;
};

/** Lengths of time in seconds. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

export const DAY_MS = DAY * 1000;

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);

export const iso = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');

/**
 * Makes a function that gives the text of the header Date. The text changes only once a second, so it is made once a
 * second and not for each answer.
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

/** Turns a date such as 2026-03-10 into the number of days since 1970. */
export const parseDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const formatMonth = (second: number): string => iso(second).slice(0, 7);

/** Whether a text is a date that exists: 2024-02-29, but not 2023-02-29. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && formatDay(time / 1000) === text;
}
