export type Clock = {
  /** Milliseconds since 1970. This clock may jump if somebody sets the time. */
  now(): number;
  /** Milliseconds of a timer that never jumps, so limits and waits use it. */
  tick(): number;
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

export const DAY_MS = DAY * 1000;

export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);

export const iso = (second: number): string => new Date(second * 1000).toISOString().replace('.000Z', 'Z');

/** The header Date changes once a second, so its text is not made again for each answer. */
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

/** True for 2024-02-29, but not for 2023-02-29, which does not exist. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && formatDay(time / 1000) === text;
}
