// The present of the demo: made-up visitors visit the running server one after another.
//
// The scenario decides how many visitors there are in an hour. The visits are made like the visits of past.ts, but a
// visitor reads a page for at most a minute. The visitors' IP addresses are in the range 2001:db8::/32, which is
// reserved for examples. `daybook demo` starts one `trickle` for each site.

import { setTimeout as pause } from 'node:timers/promises';
import { readAgent } from '../classify/agent.ts';
import type { Collector } from '../collect/collector.ts';
import { DAY, HOUR } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import type { Dice } from './dice.ts';
import { findDepth, findProperties } from './measures.ts';
import { findWidth } from './people.ts';
import type { Scenario } from './scenario.ts';
import { usualVisitors, visit } from './visits.ts';

/** How many visitors each site has at the start of the demo. Without these visitors, the live view would be empty. */
export const AT_START = 4;
/**
 * A visitor reads a page for at most this many seconds. People who watch the demo should not wait long for the next
 * hit.
 */
const LONGEST_READ = 60;

type TrickleDeps = {
  scenario: Scenario;
  collector: Pick<Collector, 'take' | 'engage' | 'noteClient'>;
  dice: Dice;
  stop: AbortSignal;
};

export async function trickle(live: TrickleDeps, now: () => number): Promise<void> {
  const visits = new Set<Promise<void>>();
  const begin = (): void => {
    // A made-up visit that fails or is interrupted does not matter. Therefore its error is ignored.
    const one = playVisit(live).catch(() => {});
    visits.add(one);
    void one.then(() => visits.delete(one));
  };
  for (let i = 0; i < AT_START; i++) begin();
  while (!live.stop.aborted) {
    const at = now();
    await wait(findNextArrival(live.scenario, live.dice, at) - at, live.stop).catch(() => {});
    if (!live.stop.aborted) begin();
  }
  await Promise.all(visits);
}

/** Finds the instant at which the next visitor arrives, in seconds. */
export function findNextArrival(scenario: Scenario, dice: Dice, now: number): number {
  let at = now;
  for (;;) {
    const next = dice.wait(secondsBetween(scenario, at));
    const left = HOUR - (at % HOUR);
    if (next <= left) return at + next;
    // The next hour has another mean. Therefore a new wait is chosen from the beginning of that hour.
    at += left;
  }
}

/**
 * Computes the mean time between two visitors, in seconds. The time depends on the hour, because each hour has its own
 * weight in the scenario.
 */
function secondsBetween(scenario: Scenario, now: number): number {
  const { dayAt, localAt } = findZone(scenario.timeZone);
  const hour = Math.floor((localAt(now) % DAY) / HOUR);
  const share = (scenario.hours[hour] ?? 1) / scenario.hours.reduce((sum, weight) => sum + weight, 0);
  return HOUR / (usualVisitors(scenario, { day: dayAt(now), ago: 0 }) * share);
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> => pause(seconds * 1000, undefined, { signal });

function makeUrl(domain: string, page: string, tags: { source: string; medium: string; campaign: string }): URL {
  const url = new URL(page, `https://${domain}`);
  for (const [name, value] of Object.entries(tags)) if (value !== '') url.searchParams.set(`utm_${name}`, value);
  return url;
}

async function playVisit({ scenario, collector, dice, stop }: TrickleDeps): Promise<void> {
  const { agent, country, source, tags, hits } = visit(scenario, 0, dice);
  // The range 2001:db8::/32 is reserved for examples.
  const address = `2001:db8:${dice.between(0, 65_535).toString(16)}:${dice.between(0, 65_535).toString(16)}::1`;
  collector.noteClient(address, false);
  let passed = 0;
  for (const { after, page, event, label, engaged, revenue } of hits) {
    await wait(Math.min(after - passed, LONGEST_READ), stop);
    passed = after;
    const client = { address, agent, country };
    const place = { site: scenario.domain, url: makeUrl(scenario.domain, page, tags) };
    if (engaged !== undefined) {
      const scroll = findDepth(page, engaged, dice.between(0, 65_535));
      await collector.engage({ ...place, engaged: engaged * 1000, scroll }, client);
      continue;
    }
    const message = {
      ...place,
      ...(source && { referrer: `https://${source}/` }),
      ...(event && { event, label }),
      props: findProperties(scenario, { page, event }, dice.between(0, 65_535)),
      ...(revenue !== undefined && { revenue }),
      width: findWidth(readAgent(agent).device, dice.between(0, 7)),
    };
    await collector.take(message, client, false);
  }
}
