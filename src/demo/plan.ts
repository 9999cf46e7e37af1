import type { Target } from '../store/sites/goals.ts';
import type { Weights } from './dice.ts';

/** A day, counted back from today: 0 is today. */
type DaysAgo = number;

type Tags = { source: string; medium: string; campaign: string };

/** An event on a page. `share` of the pageviews cause it. */
type Action = { event: string; labels: Weights<string>; share: number };

/** The days of the demo: two years, so that a year can be compared with the one before. */
export const DAYS = 730;

/** A made-up site. visits.ts makes visits of it. */
export type Plan = {
  domain: string;
  timeZone: string;
  /** Visitors a day, in the middle of the two years. */
  visitors: number;
  /** Visitors of the last day divided by those of the first. */
  growth: number;
  /** The weight of each weekday, Sunday first. */
  week: readonly number[];
  /** The weight of each hour, midnight first, by the clocks of the site. */
  hours: readonly number[];
  countries: Weights<string>;
  agents: Weights<string>;
  sources: Weights<string>;
  /** AI assistants as sources. Their share grows over the two years. */
  assistants: Weights<string>;
  entries: Weights<string>;
  /** The next page after each page. The empty path ends the visit. */
  links: Record<string, Weights<string>>;
  actions: Record<string, readonly Action[]>;
  /** Campaigns bring more visitors. `share` is their part of all visitors in these days. */
  campaigns: readonly { from: DaysAgo; to: DaysAgo; share: number; entry: string; tags: Tags }[];
  /** Spikes: days with many more visitors, which fade over three more days. */
  spikes: readonly { on: DaysAgo; times: number; source: string; entry: string }[];
  /** Waves of bots that pass as people. Each bot opens one page before dawn, and all come from one country. */
  waves: readonly { on: DaysAgo; visitors: number; country: string; agent: string }[];
  /** Days with fewer visitors than usual. */
  lulls: readonly { from: DaysAgo; to: DaysAgo; times: number }[];
  notes: readonly { on: DaysAgo; text: string }[];
  goals: readonly Target[];
  funnels: readonly { name: string; steps: Target[] }[];
};
