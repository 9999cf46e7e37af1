/**
 * In this file, a day is a text such as 2026-03-10, and a month is a text such as 2026-03. So `<` tells whether
 * a day is earlier than another day.
 */

import { DAY_MS } from '../../lib/time.ts';

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const monthOf = (day: string): string => day.slice(0, 7);
export const firstDayOf = (month: string): string => `${month}-01`;
export const lastDayOf = (month: string): string => dayAfter(firstDayOf(monthAfter(month, 1)), -1);

export const dayAfter = (day: string, days = 1): string => textOf(timeOf(day) + days * DAY_MS);

export function monthAfter(month: string, months = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return textOf(Date.UTC(year, number - 1 + months, 1)).slice(0, 7);
}

/**
 * Adds months to a day: 2026-01-15 and 1 month give 2026-02-15. If the new month is too short, the result is the last
 * day of that month: 2026-01-31 and 1 month give 2026-02-28.
 */
export function sameDayAfter(day: string, months: number): string {
  const month = monthAfter(monthOf(day), months);
  return earlier(`${month}${day.slice(7)}`, lastDayOf(month));
}

export const daysIn = (from: string, to: string): number => (timeOf(to) - timeOf(from)) / DAY_MS + 1;

export function monthsIn(from: string, to: string): number {
  const [first = 0, last = 0] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return last - first + 1;
}

/** Returns the day of the week as a number from 0 (Sunday) to 6 (Saturday). */
export const weekdayOf = (day: string): number => new Date(timeOf(day)).getUTCDay();

export const earlier = (one: string, other: string): string => (one < other ? one : other);
export const later = (one: string, other: string): string => (one < other ? other : one);

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(timeOf(text)) && textOf(timeOf(text)) === text;
