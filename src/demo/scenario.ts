// A scenario describes a made-up site: its visitors, pages, events and prices, and what happened in two years.
//
// Days are counted back from today: 0 is today, and 1 is yesterday. Example: a campaign with `from: 24` and `to: 0`
// brings additional visitors from 24 days ago until today. bakery.ts and docs.ts are scenarios. visits.ts makes visits
// from them.

import type { Target } from '../store/sites/goals.ts';
import type { Weights } from './dice.ts';

/** A day as a number: 0 is today, and 1 is yesterday. Therefore the demo always has recent visits. */
type DaysAgo = number;

type Tags = { source: string; medium: string; campaign: string };

/**
 * An event on a page. `share` is the part of the pageviews with this event, such as 0.1. If the event is an order, its
 * labels are products, and `prices` has the price of each, such as 6.40.
 */
type Action = { event: string; labels: Weights<string>; share: number; prices?: Readonly<Record<string, string>> };

/** For how many days a demo site has hits: two years, because the demo compares a year with the year before. */
export const DAYS = 730;

export type Scenario = {
  domain: string;
  timeZone: string;
  /** The currency of the prices. The text is empty if the site sells nothing. */
  currency: string;
  /** The mean number of visitors in a day, halfway through the two years. */
  visitors: number;
  /** Visitors of the last day, divided by visitors of the first day, without the changes that are described below. */
  growth: number;
  /** The weight of each weekday, beginning with Sunday. */
  week: readonly number[];
  /** The weight of each hour in the time zone of the site, beginning with midnight. */
  hours: readonly number[];
  countries: Weights<string>;
  agents: Weights<string>;
  sources: Weights<string>;
  /** AI assistants as sources, with weights. Their share grows over the two years. */
  assistants: Weights<string>;
  entries: Weights<string>;
  /**
   * The key is the path of a page. The value lists the pages that a visitor may open next, with weights. An empty path
   * in the list ends the visit. The key '' is for all pages that are not a key here.
   */
  links: Record<string, Weights<string>>;
  actions: Record<string, readonly Action[]>;
  /** The properties of hits. The key is an event or a page. A value that is in the list twice is twice as frequent. */
  properties: Record<string, Record<string, readonly string[]>>;
  /** A campaign brings additional visitors. `share` is their share of all visitors while the campaign runs. */
  campaigns: readonly { from: DaysAgo; to: DaysAgo; share: number; entry: string; tags: Tags }[];
  /**
   * A spike is a day `on` with `times` as many visitors as usual. Over the next three days, the additional visitors
   * become fewer.
   */
  spikes: readonly { on: DaysAgo; times: number; source: string; entry: string }[];
  /**
   * A wave is a day with many bots that pretend to be people. `visitors` is the number of bots. Each bot opens one page
   * before dawn. All bots are from one country.
   */
  waves: readonly { on: DaysAgo; visitors: number; country: string; agent: string }[];
  /** From the day `on` to today, the site has `times` as many visitors as before. */
  shifts: readonly { on: DaysAgo; times: number }[];
  /** Days with fewer visitors than usual. `times` is the share of the usual visitors on these days, such as 0.5. */
  lulls: readonly { from: DaysAgo; to: DaysAgo; times: number }[];
  notes: readonly { on: DaysAgo; text: string }[];
  goals: readonly Target[];
  funnels: readonly { name: string; steps: Target[] }[];
};
