import type { Target } from '../store/sites/goals.ts';
import type { Weights } from './dice.ts';

/** A day, as so many days before today. */
type DaysAgo = number;

type Tags = { source: string; medium: string; campaign: string };

/** An event on a page, and the share of those who see the page that cause it. */
type Action = { event: string; labels: Weights<string>; share: number };

/** The demo's data is of two years, so that the last one can be compared with the one before. */
export const DAYS = 730;

/** What a made-up site is like; visits.ts makes visits of it. */
export type Plan = {
  domain: string;
  timeZone: string;
  /** Visitors a day, in the middle of its time. */
  visitors: number;
  /** The visitors a day at the end, divided by those at the beginning. */
  growth: number;
  /** From Sunday on. */
  week: readonly number[];
  /** From midnight on, by the clocks of its time zone. */
  hours: readonly number[];
  countries: Weights<string>;
  agents: Weights<string>;
  sources: Weights<string>;
  /** AI assistants send more and more. */
  assistants: Weights<string>;
  entries: Weights<string>;
  /** Where people go from a page; the empty path leaves. */
  links: Record<string, Weights<string>>;
  actions: Record<string, readonly Action[]>;
  /** They bring more visitors: of those of their days, this share. */
  campaigns: readonly { from: DaysAgo; to: DaysAgo; share: number; entry: string; tags: Tags }[];
  /** Days with many more visitors than usual, and for some days after. */
  spikes: readonly { on: DaysAgo; times: number; source: string; entry: string }[];
  /** A wave of bots that look like people: each opens one page in the hours before dawn, all from one country. */
  waves: readonly { on: DaysAgo; visitors: number; country: string; agent: string }[];
  /** Days with fewer visitors than usual. */
  lulls: readonly { from: DaysAgo; to: DaysAgo; times: number }[];
  notes: readonly { on: DaysAgo; text: string }[];
  goals: readonly Target[];
  funnels: readonly { name: string; steps: Target[] }[];
};
