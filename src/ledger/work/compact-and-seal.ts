// Carries out a compaction or a sealing. A thread computes each step. The main thread stores the result, and makes it
// visible to queries.
//
// Invariant: the thread only reads. Only one slice of a day, or the new shards of one step, are in memory at a time.
//
// Example: a compaction of 20 shards has up to 20 steps, and each step replaces one shard. After a step of 300 ms, the
// work pauses for 300 ms. A query in this pause counts only the one new shard, because the counts of the other shards
// are kept from earlier queries. Without the pauses, one query might have to count all 20 new shards. background.ts and
// nightly.ts call this file.
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
 * The longest pause between two steps. Usually, a pause is as long as the step before it. But if the machine slept
 * during a step, the step seems very long, and an equally long pause would block the work.
 */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Seals a day, with one slice in memory at a time. Returns false if no sealed day was shown, for example because a hit
 * arrived meanwhile.
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
 * Writes the new rows of an open day into its shards. Returns false if there are no new rows. Also returns false if new
 * shards could not be shown, for example because another process compacted the day. After each step, the work pauses,
 * and queries may count the new shards. If the compaction has read the maximum number of rows (`isFull`), the work does
 * not pause, because further rows may be waiting.
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
