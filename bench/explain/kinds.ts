// The 21 kinds of sites on which bench/explain.ts plants changes.

/**
 * `visitors` is the mean of a day, `days` the length of both ranges. `uneven` says how much days vary together, and
 * `bursts` how much each channel varies on its own: both as the standard deviation of a factor. `countries`, `pages`
 * and `sources` are how many there are. `grown` is a change that all visitors share, besides the planted one. A plain
 * site has one host name and no properties of hits.
 */
export type Kind = {
  name: string;
  visitors: number;
  days: number;
  uneven?: number;
  bursts?: number;
  countries?: number;
  pages?: number;
  sources?: number;
  grown?: number;
  isPlain?: boolean;
};

export const KINDS: readonly Kind[] = [
  { name: 'a small site, 30 days', visitors: 60, days: 30 },
  { name: 'a small site, 7 days', visitors: 200, days: 7 },
  { name: 'a blog, 14 days', visitors: 300, days: 14, uneven: 0.2 },
  { name: 'a blog, 30 days', visitors: 300, days: 30, uneven: 0.2, pages: 400 },
  { name: 'a blog of one language', visitors: 500, days: 28, countries: 3 },
  { name: 'a shop, 7 days', visitors: 1_000, days: 7, uneven: 0.1 },
  { name: 'a shop, 30 days', visitors: 1_000, days: 30, uneven: 0.1 },
  { name: 'a shop that grows by 10 %', visitors: 1_000, days: 30, grown: 1.1 },
  { name: 'a shop after the season, −30 %', visitors: 1_000, days: 28, grown: 0.7 },
  { name: 'one day against another', visitors: 3_000, days: 1 },
  { name: 'two days', visitors: 2_000, days: 2 },
  { name: 'a week of a large site', visitors: 10_000, days: 7, uneven: 0.1 },
  { name: 'a month of a large site', visitors: 10_000, days: 30, uneven: 0.1, pages: 2_000 },
  { name: 'a large site, many sources', visitors: 5_000, days: 14, sources: 400 },
  { name: 'a large site of one page', visitors: 5_000, days: 14, pages: 1 },
  { name: 'days that vary much', visitors: 1_000, days: 14, uneven: 0.5 },
  { name: 'channels that vary, ±10 %', visitors: 1_000, days: 28, bursts: 0.1 },
  { name: 'channels that vary, ±20 %', visitors: 1_000, days: 28, bursts: 0.2 },
  { name: 'a site for a whole world', visitors: 3_000, days: 28, countries: 150 },
  { name: 'a site without properties', visitors: 1_000, days: 14, isPlain: true },
  { name: 'a quarter of a year', visitors: 1_000, days: 91, uneven: 0.2 },
];
