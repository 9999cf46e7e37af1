import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/lib/time.ts';
import { listCollectors } from '../../src/store/cluster/collectors.ts';
import { until } from '../../test/support/program.ts';
import { look } from '../furnish.ts';
import type { World } from './world.ts';

/** What the primary asks of the servers while it seals a day, in this order. */
const STEPS = {
  visits: /^INSERT INTO visit /,
  sums: /^INSERT INTO tally/,
  comparison: /^\s*SELECT slice, toString\(/,
  codes: /^\s*ALTER TABLE activity DELETE/,
};

const MOMENTS = ['before', 'after'] as const;
/** A step that did not come within so long is not due. */
const PATIENCE_MS = 8_000;

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

/** What is taken in the last moment of a day may arrive in the first of the next. */
const MARGIN_SECONDS = 30;

/** How often the primary was killed at each step and moment. */
export type Kills = Map<string, number>;

/** Waits until every collector has said that all of the day that is over is there. */
const arrived = ({ daybook, today }: World): Promise<void> =>
  until('collectors are done with the day that is over', () =>
    look(daybook.db, (db) =>
      listCollectors(db).every(({ status }) => (status?.until ?? 0) > today() * DAY + MARGIN_SECONDS),
    ),
  );

/** Kills the primary at each step of sealing the day that is over; a step that is not due before it is not due after it. */
export async function killWhileSealing(world: World, kills: Kills): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    for (const moment of MOMENTS) {
      if (!(await killAt(world, step, moment))) break;
      const key = `${moment} ${name}`;
      kills.set(key, (kills.get(key) ?? 0) + 1);
    }
  }
  if (!world.own.state().isUp) await world.own.startPrimary();
}

/** The same in a night in which nothing else happens, so that no step waits for a machine. */
export async function killInQuietNight(world: World, kills: Kills): Promise<void> {
  await arrived(world);
  await killWhileSealing(world, kills);
}
