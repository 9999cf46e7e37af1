export type Clock = {
  /** Milliseconds since 1970, as the wall clock says; it may jump. */
  now(): number;
  /** Milliseconds since some moment; it never goes back. For limits and waiting. */
  tick(): number;
};

/** Spans of time in seconds. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

export const DAY_MS = DAY * 1000;

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);

export const iso = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');

/** Makes a function that gives the text of a Date header. The text is made once a second. */
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

/** Converts a date to days since 1970. */
export const parseDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const formatMonth = (second: number): string => iso(second).slice(0, 7);

/** Tells whether a text is an existing date, such as 2024-02-29. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && formatDay(time / 1000) === text;
}
