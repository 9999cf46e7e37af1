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

/** An export writes the times of millions of hits. Keeping the last date takes a quarter of the time of a `Date`. */
export function iso(second: number): string {
  const day = Math.floor(second / DAY);
  const rest = second - day * DAY;
  if (!Number.isInteger(rest)) return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
  if (day !== last.day) last = { day, date: new Date(day * DAY_MS).toISOString().slice(0, DATE_END) };
  return `${last.date}T${TWO[Math.floor(rest / HOUR)]}:${TWO[Math.floor(rest / MINUTE) % 60]}:${TWO[rest % 60]}Z`;
}

let last = { day: Number.NaN, date: '' };
/** The end of the date in a text such as 2026-01-05T00:00:00.000Z. Years above 9999 are longer. */
const DATE_END = -14;
const TWO = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));

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
