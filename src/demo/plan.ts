import type { Target } from '../store/goals.ts';
import type { Weights } from './dice.ts';

/** Days are told by how long ago they are. */
type DaysAgo = number;

type Tags = { source: string; medium: string; campaign: string };

/** Something that people do on a page, and how many of those who see it. */
type Deed = { event: string; labels: Weights<string>; share: number };

/** So far back goes what is made up: two years, so that the last one can be compared. */
export const DAYS = 730;

/** What a made-up site is like; visits.ts makes visits of it. */
export type Plan = {
  domain: string;
  /** Visitors a day, in the middle of its time. */
  visitors: number;
  /** How many times as many there are at the end as at the beginning. */
  growth: number;
  /** From Sunday on. */
  week: readonly number[];
  /** From midnight on, in UTC. */
  hours: readonly number[];
  countries: Weights<string>;
  agents: Weights<string>;
  sources: Weights<string>;
  /** AI assistants send more and more. */
  assistants: Weights<string>;
  entries: Weights<string>;
  /** Where people go from a page; the empty path leaves. */
  links: Record<string, Weights<string>>;
  deeds: Record<string, readonly Deed[]>;
  campaigns: readonly { from: DaysAgo; to: DaysAgo; share: number; entry: string; tags: Tags }[];
  /** Days when everybody came, which takes a few days to pass. */
  spikes: readonly { on: DaysAgo; times: number; source: string; entry: string }[];
  /** Days when hardly anybody came. */
  lulls: readonly { from: DaysAgo; to: DaysAgo; times: number }[];
  notes: readonly { on: DaysAgo; text: string }[];
  goals: readonly Target[];
  funnels: readonly { name: string; steps: Target[] }[];
};
