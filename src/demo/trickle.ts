import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../collect/collector.ts';
import type { Dice } from './dice.ts';
import type { Plan } from './plan.ts';
import { visit } from './visits.ts';

/** Seconds between one visitor and the next, in the mean; and how many are there when it begins. */
const NEXT = 45;
const CROWD = 4;
/** Nobody watches a demo for longer. */
const LONGEST_READ = 60;

type Live = { plan: Plan; collector: Pick<Collector, 'take'>; dice: Dice; stop: AbortSignal };

const wait = (seconds: number, signal: AbortSignal): Promise<void> => pause(seconds * 1000, undefined, { signal });

/** The address as the script would send it. */
function urlOf(domain: string, page: string, tags: { source: string; medium: string; campaign: string }): URL {
  const url = new URL(page, `https://${domain}`);
  for (const [name, value] of Object.entries(tags)) if (value !== '') url.searchParams.set(`utm_${name}`, value);
  return url;
}

async function come({ plan, collector, dice, stop }: Live): Promise<void> {
  const { agent, country, source, tags, hits } = visit(plan, 0, dice);
  // From the block of addresses that belongs to nobody.
  const address = `2001:db8:${dice.between(0, 65_535).toString(16)}:${dice.between(0, 65_535).toString(16)}::1`;
  let passed = 0;
  for (const { after, page, event, label } of hits) {
    await wait(Math.min(after - passed, LONGEST_READ), stop);
    passed = after;
    const message = {
      site: plan.domain,
      url: urlOf(plan.domain, page, tags),
      ...(source && { referrer: `https://${source}/` }),
      ...(event && { event, label }),
    };
    await collector.take(message, { address, agent, country }, false);
  }
}

/** Lets people come, one after the other, until it is stopped. */
export async function trickle(live: Live): Promise<void> {
  const visits = new Set<Promise<void>>();
  const begin = (): void => {
    // Who is on the way when it stops just stays away; what cannot be stored now is no matter for a demo.
    const one = come(live).catch(() => {});
    visits.add(one);
    void one.then(() => visits.delete(one));
  };
  for (let i = 0; i < CROWD; i++) begin();
  while (!live.stop.aborted) {
    await wait(live.dice.wait(NEXT), live.stop).catch(() => {});
    if (!live.stop.aborted) begin();
  }
  await Promise.all(visits);
}
