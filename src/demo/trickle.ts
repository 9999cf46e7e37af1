import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../collect/collector.ts';
import { DAY, HOUR } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import type { Dice } from './dice.ts';
import type { Plan } from './plan.ts';
import { usualVisitors, visit } from './visits.ts';

/** How many are there at the start, so that somebody is. */
const AT_START = 4;
/** Seconds: whoever looks at a demo does not wait longer for the next hit. */
const LONGEST_READ = 60;

type Live = { plan: Plan; collector: Pick<Collector, 'take' | 'engage'>; dice: Dice; stop: AbortSignal };

const wait = (seconds: number, signal: AbortSignal): Promise<void> => pause(seconds * 1000, undefined, { signal });

/** The address as the script would send it. */
function urlOf(domain: string, page: string, tags: { source: string; medium: string; campaign: string }): URL {
  const url = new URL(page, `https://${domain}`);
  for (const [name, value] of Object.entries(tags)) if (value !== '') url.searchParams.set(`utm_${name}`, value);
  return url;
}

async function playVisit({ plan, collector, dice, stop }: Live): Promise<void> {
  const { agent, country, source, tags, hits } = visit(plan, 0, dice);
  // From the block that is reserved for examples.
  const address = `2001:db8:${dice.between(0, 65_535).toString(16)}:${dice.between(0, 65_535).toString(16)}::1`;
  let passed = 0;
  for (const { after, page, event, label, engaged } of hits) {
    await wait(Math.min(after - passed, LONGEST_READ), stop);
    passed = after;
    const sender = { address, agent, country };
    const place = { site: plan.domain, url: urlOf(plan.domain, page, tags) };
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

/** Seconds between one visitor and the next on average, at a moment: as many come as on the days before. */
export function secondsBetween(plan: Plan, now: number): number {
  const { dayAt, localAt } = findZone(plan.timeZone);
  const hour = Math.floor((localAt(now) % DAY) / HOUR);
  const share = (plan.hours[hour] ?? 1) / plan.hours.reduce((sum, weight) => sum + weight, 0);
  return HOUR / (usualVisitors(plan, { day: dayAt(now), ago: 0 }) * share);
}

/** Makes visitors come to a running server, one after the other, until it is stopped. */
export async function trickle(live: Live, now: () => number): Promise<void> {
  const visits = new Set<Promise<void>>();
  const begin = (): void => {
    // A visit that is stopped midway, or a hit that cannot be stored, does not matter in a demo.
    const one = playVisit(live).catch(() => {});
    visits.add(one);
    void one.then(() => visits.delete(one));
  };
  for (let i = 0; i < AT_START; i++) begin();
  while (!live.stop.aborted) {
    const next = live.dice.wait(secondsBetween(live.plan, now()));
    const left = HOUR - (now() % HOUR);
    await wait(Math.min(next, left), live.stop).catch(() => {});
    // Each hour has visitors of its own.
    if (!live.stop.aborted && next <= left) begin();
  }
  await Promise.all(visits);
}
