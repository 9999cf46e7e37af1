import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';

/** What the primary asks of the servers while it seals a day, in this order. */
const STEPS = {
  visits: /^INSERT INTO visit /,
  sums: /^INSERT INTO tally/,
  comparison: /^\s*SELECT part, toString\(/,
  codes: /^\s*ALTER TABLE activity DELETE/,
};

const MOMENTS = ['before', 'after'] as const;
/** A step that did not come within so long is not due. */
const PATIENCE_MS = 10_000;

/** Starts the primary, and kills it at a step; false where that did not come. */
async function killAt({ own, gates }: World, step: RegExp, moment: (typeof MOMENTS)[number]): Promise<boolean> {
  const dead = Promise.withResolvers<true>();
  let isKilled = false;
  gates.watch(async (sql, when) => {
    if (isKilled || when !== moment || !step.test(sql)) return false;
    isKilled = true;
    // It begins to seal a moment before it is known to be up.
    while (!own.state().isUp) await pause(1);
    await own.stopPrimary('SIGKILL');
    dead.resolve(true);
    return true;
  });
  if (own.state().isUp) await own.stopPrimary('SIGTERM');
  await own.startPrimary();
  const isHit = await Promise.race([dead.promise, pause(PATIENCE_MS, isKilled)]);
  if (isKilled) await dead.promise;
  gates.watch(undefined);
  return isHit || isKilled;
}

/** Kills the primary at each step of sealing the day that is over, and gives how often each was hit. */
export async function killWhileSealing(world: World, hits: Map<string, number>): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    for (const moment of MOMENTS) {
      const key = `${moment} ${name}`;
      if (await killAt(world, step, moment)) hits.set(key, (hits.get(key) ?? 0) + 1);
    }
  }
  if (!world.own.state().isUp) await world.own.startPrimary();
}
