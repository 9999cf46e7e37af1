const DAY_MS = 86_400_000;

/** Months are counted from January of the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The day with which a month begins. */
export const firstDayOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;
