// Writes batches of hits to disk, many in one transaction.
//
// Invariant: a batch is acknowledged only when it is on disk. If a transaction fails, all its batches are rejected, and
// the clients that sent the hits are asked to retry. A batch is refused if other batches wait, and more than 10,000
// hits would wait with it.
//
// Example: a commit takes 5 ms and has 40 batches, so 8,000 batches are written in a second. Both engines call
// `makeCommitQueue`. Test: test/collect/kill.program.test.ts.

import { type Drop, isHit } from '../engine/activity.ts';
import type { Batch } from '../engine/engine.ts';
import { Problem, Refusal } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import type { Meters } from '../metrics/meters.ts';
import { gather } from './batching.ts';

const MAX_PER_TRANSACTION = 1_000;
/**
 * Counts of dropped hits wait in memory for the next batch. If there is none, the counts are written after this time. A
 * crash therefore loses at most one second of counts.
 */
const DROPS_WAIT_MS = 1_000;
const MAX_QUEUED = 10_000;

export type QueuedBatch = Required<Omit<Batch, 'alongside'>> & {
  alongside: Batch['alongside'];
  size: number;
  done(): void;
  failed(error: Error): void;
};

const makeUnavailable = (cause?: unknown) => new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause });

export type Watchers = {
  log: Log;
  clock: Pick<Clock, 'tick'>;
  meters?: Meters | undefined;
};

/** Functions of an engine. `write` writes batches to disk. The other functions are told what happened. */
type Disk = {
  /** Writes all batches, and the counts of dropped hits, in one transaction. Throws if nothing could be written. */
  write(batches: readonly QueuedBatch[], dropped: readonly Drop[]): void;
  /** Called for each batch that is on disk, just before `append` resolves for this batch. */
  stored?(batch: QueuedBatch): void;
  /** Called after a failed transaction, so that the engine can undo its changes in memory. */
  undone?(): void;
  /**
   * Called with the first hit of a new day. An engine knows which texts each open day has. Hits of past days are
   * rare. So the engine then forgets the texts of all days except the last three.
   */
  begins?(day: number): void;
};

/** Makes the queue in which batches wait for a transaction. `append` resolves when its batch is on disk. */
export function makeCommitQueue({ write, stored, undone, begins }: Disk, { log, clock, meters }: Watchers) {
  const refusals = watchTrouble(log, clock, 'hits not stored, in all');
  const queue = makeBatchQueue();
  const drops = countDrops();
  let dropsTimer: NodeJS.Timeout | undefined;
  let today = 0;

  function flush(): void {
    clearTimeout(dropsTimer);
    dropsTimer = undefined;
    const batches = queue.take();
    const dropped = drops.all();
    if (batches.length === 0 && dropped.length === 0) return;
    try {
      const commit = () => write(batches, dropped);
      if (meters) meters.commit(commit);
      else commit();
      drops.clear();
      refusals.worked();
      if (meters) meterCommit(meters, batches);
      for (const batch of batches) {
        stored?.(batch);
        batch.done();
      }
    } catch (error) {
      undone?.();
      const { code = '', message } = error as Error & { code?: string };
      const details = { code, message, batches: batches.length };
      refusals.failed(code || message, 'hits not stored, their senders are asked to retry', details);
      const reason = error instanceof Refusal ? error : makeUnavailable(error);
      for (const { failed } of batches) failed(reason);
    }
  }
  const flushes = gather(clock, flush, queue);

  return {
    append({ activities = [], crawls = [], drops = [], alongside }: Batch): Promise<void> {
      // A batch without hits needs memory too, so it counts as one hit toward the limit of 10,000 waiting hits.
      const size = Math.max(activities.length + crawls.length, 1);
      if (!queue.hasRoom(size)) return Promise.reject(makeUnavailable());
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      queue.add({ activities, crawls, drops, alongside, size, done, failed });
      const day = (activities[0] ?? crawls[0])?.day ?? 0;
      if (day > today) begins?.(day);
      today = Math.max(today, day);
      flushes.soon();
      return promise;
    },
    waiting: queue.size,
    drop(drop: Drop): void {
      drops.add(drop);
      dropsTimer ??= setTimeout(flushes.now, DROPS_WAIT_MS);
    },
    settle(): void {
      do flushes.now();
      while (queue.batches() > 0);
      refusals.settle();
    },
  };
}

function countDrops() {
  let counts = new Map<string, Drop>();
  return {
    add({ siteId, day, reason, block = 0, hits }: Drop): void {
      const key = `${siteId} ${day} ${reason} ${block}`;
      const count = counts.get(key);
      if (count) count.hits += hits;
      else counts.set(key, { siteId, day, reason, block, hits });
    },
    all: (): Drop[] => [...counts.values()],
    clear(): void {
      counts = new Map();
    },
  };
}

function meterCommit({ rows, accepted }: Meters, batches: readonly QueuedBatch[]): void {
  const activities = batches.flatMap(({ activities }) => activities);
  rows.observe(activities.length);
  accepted.add([], activities.filter(isHit).length);
}

function makeBatchQueue() {
  const queue: QueuedBatch[] = [];
  let size = 0;
  return {
    size: () => size,
    batches: () => queue.length,
    hasRoom: (more: number): boolean => size === 0 || size + more <= MAX_QUEUED,
    add(batch: QueuedBatch): void {
      size += batch.size;
      queue.push(batch);
    },
    /**
     * Takes the batches of the next transaction out of the queue, up to 1,000 hits. The first batch is taken even if it
     * is larger. Otherwise, it would wait forever.
     */
    take(): QueuedBatch[] {
      let sum = 0;
      let count = 0;
      for (const batch of queue) {
        if (count > 0 && sum + batch.size > MAX_PER_TRANSACTION) break;
        sum += batch.size;
        count++;
      }
      size -= sum;
      return queue.splice(0, count);
    },
  };
}
