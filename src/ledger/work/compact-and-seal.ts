import { setTimeout as pause } from 'node:timers/promises';
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { politely } from '../../lib/steps.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import type { Threads } from '../../threads/pool.ts';
import { free } from '../column/packing.ts';
import {
  endCompaction,
  type Limits,
  needsCompaction,
  showShards,
  stageShards,
  sweepCompacted,
  sweepShards,
} from '../open/compaction.ts';
import { hasShards } from '../open/row-sources.ts';
import { showSealed, stage } from '../upkeep/seal.ts';
import type { Tasks } from './tasks.ts';

type Deps = { db: Db; clock: Clock; limits: Limits };

/** A machine that slept during a step is no reason to wait as long again. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Puts what came to an open day into its parts, one after the other. Returns false if nothing came, or if another process did it. It
 * takes its time, so that a report finds few parts that it has not counted yet, unless more waits.
 */
export async function compact(
  { db, clock, limits }: Deps,
  workers: Threads<Tasks>,
  siteDay: SiteDay,
): Promise<boolean> {
  const compaction = await workers.run({ key: 0 }, 'beginCompaction', { siteDay, limits });
  if (!compaction) return false;
  for (;;) {
    const begin = clock.tick();
    const step = await workers.run({ key: 0 }, 'nextOfCompaction', undefined);
    if (!step) break;
    const staged = await politely(stageShards(db, siteDay, step.shards, seconds(clock)), clock);
    for (const { data } of step.shards.flatMap(({ blobs }) => blobs)) free(data);
    const isShown = showShards(db, siteDay, compaction, { ...step, staged });
    await politely(sweepShards(db, 0), clock);
    if (!isShown) return false;
    if (!compaction.isFull) await pause(Math.min(clock.tick() - begin, LONGEST_PAUSE_MS));
  }
  if (!endCompaction(db, siteDay, compaction)) return false;
  await politely(sweepCompacted(db, siteDay, compaction.until, limits), clock);
  return true;
}

/** Seals a day, without ever holding more than one slice of it. Returns false if it stays open. */
export async function sealDay(
  { db, clock, limits }: Deps,
  workers: Threads<Tasks>,
  siteDay: SiteDay,
): Promise<boolean> {
  while (
    (hasShards(db, siteDay) || needsCompaction(db, siteDay, limits)) &&
    (await compact({ db, clock, limits }, workers, siteDay))
  );
  const sealing = await workers.run({ key: 0 }, 'beginSeal', { siteDay, limits });
  const staged: number[] = [];
  for (let slice = 0; slice < sealing.slices; slice++) {
    const sealed = await workers.run({ key: 0 }, 'nextOfSeal', slice);
    staged.push(...(await politely(stage(db, siteDay.siteId, [sealed], { now: seconds(clock) }), clock)));
    for (const { data } of sealed.segments) free(data);
  }
  return showSealed(db, siteDay, sealing, staged);
}
