import { DAY_MS } from '../lib/time.ts';

/** The number of a day's month, counted from January of the year 0. */
export function monthNumber(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
