// Visits of a made-up site: the source of a visitor, which pages the visitor reads, and for how long.
//
// The functions of dice.ts make every random choice, therefore equal seeds lead to equal visits.
//
// Example: a spike has `times` 3.4. On its day, the site has 3.4 times the usual visitors. The additional visitors have
// the source of the spike. past.ts and trickle.ts call this file.

import { parseAmount, writeRevenue } from '../stats/revenue.ts';
import type { Dice } from './dice.ts';
import { DAYS, type Scenario } from './scenario.ts';

/**
 * A visit with its hits and heartbeats, both in `hits`. `after` is the number of seconds since the beginning of the
 * visit. An entry with `engaged` is a heartbeat: the page was visible for `engaged` seconds. An order has `revenue`,
 * such as EUR 1280.
 */
export type Visit = {
  agent: string;
  country: string;
  source: string;
  tags: { source: string; medium: string; campaign: string };
  hits: { after: number; page: string; event: string; label: string; engaged?: number; revenue?: string }[];
};

const NO_TAGS = { source: '', medium: '', campaign: '' };
/** The mean time for which a page is read, in seconds. */
const READS = 70;
/** The share of pageviews with a heartbeat, a message that the page is still visible. */
const TELLS = 0.6;
const MOST_PAGES = 9;
/**
 * How a spike fades. The first number is for the day of the spike. On the next three days, the spike brings 42 %, 16 %
 * and 5 % of the additional visitors of its first day.
 */
const FADES = [1, 0.42, 0.16, 0.05];
const MOST_BY_ASSISTANTS = 0.09;

/** Returns the part of the two years that has passed `ago` days before today: almost 0 on the first day, 1 today. */
export const progress = (ago: number): number => 1 - ago / DAYS;

/** Computes the mean number of visitors on a day. `day` counts from 1970 and decides the weekday. */
export function usualVisitors(scenario: Scenario, { day, ago }: { day: number; ago: number }): number {
  const { growth, week, shifts, lulls, campaigns } = scenario;
  const grown = growth ** (progress(ago) - 0.5);
  const rhythm = week[(day + 4) % 7] ?? 1;
  const shifted = shifts.reduce((times, shift) => (shift.on >= ago ? times * shift.times : times), 1);
  const lull = lulls.find(({ from, to }) => ago <= from && ago >= to)?.times ?? 1;
  const own = campaigns.find((one) => isOn(one, ago))?.share ?? 0;
  return (
    (scenario.visitors * grown * rhythm * shifted * lull * (1 + (findSpike(scenario, ago)?.more ?? 0))) / (1 - own)
  );
}

/** Makes a visit of the day that is `ago` days before today. */
export function visit(scenario: Scenario, ago: number, dice: Dice): Visit {
  const { entry, source, tags } = arrival(scenario, ago, dice);
  return {
    agent: dice.pick(scenario.agents),
    country: dice.pick(scenario.countries),
    source,
    tags,
    hits: walk(scenario, entry, dice),
  };
}

export const botVisit = (scenario: Scenario, { agent, country }: Scenario['waves'][number], dice: Dice): Visit => ({
  ...{ agent, country, source: '', tags: NO_TAGS },
  hits: [{ after: 0, page: dice.pick(scenario.entries), event: '', label: '' }],
});

const isOn = ({ from, to }: Scenario['campaigns'][number], ago: number): boolean => ago <= from && ago >= to;

/** Finds the spike of a day. `more` is 2 if the spike adds twice the usual visitors. */
function findSpike({ spikes }: Scenario, ago: number): { source: string; entry: string; more: number } | undefined {
  for (const { on, times, ...spike } of spikes) {
    const fade = FADES[on - ago];
    if (fade !== undefined) return { ...spike, more: (times - 1) * fade };
  }
  return undefined;
}

function arrival(scenario: Scenario, ago: number, dice: Dice): Pick<Visit, 'source' | 'tags'> & { entry: string } {
  const spike = findSpike(scenario, ago);
  if (spike && dice.chance(spike.more / (1 + spike.more))) return { ...spike, tags: NO_TAGS };
  const entry = dice.pick(scenario.entries);
  if (dice.chance(MOST_BY_ASSISTANTS * progress(ago))) {
    return { source: dice.pick(scenario.assistants), tags: NO_TAGS, entry };
  }
  for (const campaign of scenario.campaigns) {
    const { share, tags, entry } = campaign;
    if (isOn(campaign, ago) && dice.chance(share)) return { source: '', tags, entry };
  }
  return { source: dice.pick(scenario.sources), tags: NO_TAGS, entry };
}

/**
 * Computes the revenue of an order of one to four items. The number of items depends only on `number`, the seconds from
 * the start of the visit to the order. So equal visits have equal orders.
 */
const findRevenue = (price: string, currency: string, number: number): string =>
  writeRevenue({ currency, amount: (parseAmount(price, currency) ?? 0) * (1 + (number % 4)) });

function walk({ links, actions, currency }: Scenario, entry: string, dice: Dice): Visit['hits'] {
  const hits: Visit['hits'] = [];
  let page = entry;
  let after = 0;
  for (let pages = 0; page !== '' && pages < MOST_PAGES; pages++) {
    const begun = after;
    hits.push({ after, page, event: '', label: '' });
    for (const { event, labels, share, prices } of actions[page] ?? []) {
      if (!dice.chance(share)) continue;
      const hit = { after: after + dice.wait(READS / 4), page, event, label: dice.pick(labels) };
      const price = prices?.[hit.label];
      hits.push(price === undefined ? hit : { ...hit, revenue: findRevenue(price, currency, hit.after) });
    }
    after = Math.max(after, ...hits.map((hit) => hit.after)) + dice.wait(READS);
    if (dice.chance(TELLS)) hits.push({ after, page, event: '', label: '', engaged: after - begun });
    page = dice.pick(links[page] ?? links[''] ?? []);
  }
  return hits.sort((one, other) => one.after - other.after);
}
