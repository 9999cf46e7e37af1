import type { Word } from '../store/hits.ts';

/** How many new words of each kind a site may bring in one day; the next is `(other)`. */
export const CAPS: Record<Word, number> = {
  page: 10_000,
  event: 200,
  label: 2_000,
  source: 5_000,
  utm_source: 2_000,
  utm_medium: 2_000,
  utm_campaign: 2_000,
  country: 2_000,
  device: 2_000,
  browser: 2_000,
  os: 2_000,
};

/** One thing a visitor did on one page at one second: a pageview, or an event where `event` is not empty. */
export type Hit = Record<Word, string> & {
  siteId: number;
  /** Days since 1970, and seconds since midnight UTC. */
  day: number;
  second: number;
  visitor: number;
  /** Null for a hit. Seconds for an engagement message, which is none, but takes the same way. */
  engaged: number | null;
};

export const OTHER = '(other)';

/** One number for an id and a day, for maps that are asked for every hit: days stay below 2^17 until the year 2328. */
export const dayKey = (id: number, day: number): number => id * 131_072 + day;
export const idIn = (key: number): number => Math.floor(key / 131_072);
export const dayIn = (key: number): number => key % 131_072;
