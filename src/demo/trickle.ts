// The present of the demo: visitors who come to the running server one after another.
//
// As many come as the plan gives for the hour, and each reads pages as in past.ts, but no longer than a minute a
// page. Their IP addresses are of 2001:db8::/32, the block for examples. `daybook demo` starts one for each site.

import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../collect/collector.ts';
import { DAY, HOUR } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import type { Dice } from './dice.ts';
import type { Plan } from './plan.ts';
import { usualVisitors, visit } from './visits.ts';

/** Visitors at the start, so that the live view is not empty. */
const AT_START = 4;
/** The longest time in seconds that a page is read. People who watch a demo want to see the next hit. */
const LONGEST_READ = 60;

type TrickleDeps = { plan: Plan; collector: Pick<Collector, 'take' | 'engage'>; dice: Dice; stop: AbortSignal };

/** Computes the mean seconds between two visitors, from the plan of the hour. */
export function secondsBetween(plan: Plan, now: number): number {
  const { dayAt, localAt } = findZone(plan.timeZone);
  const hour = Math.floor((localAt(now) % DAY) / HOUR);
  const share = (plan.hours[hour] ?? 1) / plan.hours.reduce((sum, weight) => sum + weight, 0);
  return HOUR / (usualVisitors(plan, { day: dayAt(now), ago: 0 }) * share);
}

/** Sends made-up visitors to a running server until it stops. */
export async function trickle(live: TrickleDeps, now: () => number): Promise<void> {
  const visits = new Set<Promise<void>>();
  const begin = (): void => {
    // A visit that fails or is cut off does not matter in a demo.
    const one = playVisit(live).catch(() => {});
    visits.add(one);
    void one.then(() => visits.delete(one));
  };
  for (let i = 0; i < AT_START; i++) begin();
  while (!live.stop.aborted) {
    const next = live.dice.wait(secondsBetween(live.plan, now()));
    const left = HOUR - (now() % HOUR);
    await wait(Math.min(next, left), live.stop).catch(() => {});
    // A wait that crosses the hour is thrown away, because the next hour has another mean.
    if (!live.stop.aborted && next <= left) begin();
  }
  await Promise.all(visits);
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> => pause(seconds * 1000, undefined, { signal });

/** Makes the URL as the script sends it. */
function makeUrl(domain: string, page: string, tags: { source: string; medium: string; campaign: string }): URL {
  const url = new URL(page, `https://${domain}`);
  for (const [name, value] of Object.entries(tags)) if (value !== '') url.searchParams.set(`utm_${name}`, value);
  return url;
}

async function playVisit({ plan, collector, dice, stop }: TrickleDeps): Promise<void> {
  const { agent, country, source, tags, hits } = visit(plan, 0, dice);
  // The block 2001:db8::/32 is reserved for examples.
  const address = `2001:db8:${dice.between(0, 65_535).toString(16)}:${dice.between(0, 65_535).toString(16)}::1`;
  let passed = 0;
  for (const { after, page, event, label, engaged } of hits) {
    await wait(Math.min(after - passed, LONGEST_READ), stop);
    passed = after;
    const sender = { address, agent, country };
    const place = { site: plan.domain, url: makeUrl(plan.domain, page, tags) };
    if (engaged !== undefined) {
      await collector.engage({ ...place, engaged: engaged * 1000 }, sender);
      continue;
    }
    const message = {
      ...place,
      ...(source && { referrer: `https://${source}/` }),
      ...(event && { event, label }),
    };
    await collector.take(message, sender, false);
  }
}
