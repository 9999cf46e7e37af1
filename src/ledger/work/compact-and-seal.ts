// This file carries out a compaction or a sealing. A compaction puts new hits of an open day into its shards, which are
// packed parts of the day. Sealing packs a past day for good. A thread computes each step, and the process that writes
// stores and shows the result.
// Invariant: the thread only reads. Memory has only one slice (part) of a day, or the new shards of one step, at a
// time.
//
// Example: a compaction of 20 shards has 20 steps. After a step of 300 ms the work pauses for 300 ms. Queries that come
// meanwhile count the new shards and keep the counts. So the next query has to count only a few new shards.
// Called by background.ts and nightly.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { runPolitely } from '../../lib/steps.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import type { Threads } from '../../threads/pool.ts';
import { free } from '../column/packing.ts';
import {
  type CompactionLimits,
  endCompaction,
  needsCompaction,
  showShards,
  stageShards,
  sweepCompacted,
  sweepShards,
} from '../open/compaction.ts';
import { hasShards } from '../open/row-sources.ts';
import { showSealed, stage } from '../upkeep/seal.ts';
import type { Tasks } from './tasks.ts';

type Deps = { db: Db; clock: Clock; limits: CompactionLimits };

/**
 * A pause is as long as the step before, but at most 2 s. The limit is needed because a step seems very long if the
 * machine was asleep during it.
 */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Seals a day: packs it for good, with one slice (part of the day) in memory at a time. Returns false if the day stays
 * open, because a hit came meanwhile.
 */
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
    staged.push(...(await runPolitely(stage(db, siteDay.siteId, [sealed], { now: seconds(clock) }), clock)));
    for (const { data } of sealed.blobs) free(data);
  }
  return showSealed(db, siteDay, sealing, staged);
}

/**
 * Puts the new rows of an open day into its shards (packed parts), one shard after the other. Returns false if there
 * are no new rows, or if another process compacted the day. A query must count each new shard anew, and keeps the
 * counts. In the pause after each shard, queries may come and count it. So no query has to count many new shards. If
 * more rows may wait than one compaction packs (`isFull`), there is no pause.
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
    const staged = await runPolitely(stageShards(db, siteDay, step.shards, seconds(clock)), clock);
    for (const { data } of step.shards.flatMap(({ blobs }) => blobs)) free(data);
    const isShown = showShards(db, siteDay, compaction, { ...step, staged });
    await runPolitely(sweepShards(db, 0), clock);
    if (!isShown) return false;
    if (!compaction.isFull) await pause(Math.min(clock.tick() - begin, LONGEST_PAUSE_MS));
  }
  if (!endCompaction(db, siteDay, compaction)) return false;
  await runPolitely(sweepCompacted(db, siteDay, compaction.until, limits), clock);
  return true;
}
