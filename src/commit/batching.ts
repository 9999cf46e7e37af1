// Chooses when waiting batches are written. A commit costs one sync of the disk, however many hits are in it.
//
// Invariant: a batch never waits longer than 6 ms for others, and a lone batch is written as soon as all arrived
// requests are read.
//
// Example: under load 64 requests that arrive together become one commit. A batch that comes 2 ms after a commit waits
// until 6 ms have passed since then, so that later ones share the next commit. `group-commit.ts` calls this
// (test/commit/batching.test.ts).

import type { Clock } from '../lib/time.ts';

/** The waiting batches. `size` counts hits. */
type Queue = { size(): number; batches(): number };

/** Makes the timing of writes: calls `write` when the batches of the queue should be written. */
export function gather(clock: Pick<Clock, 'tick'>, write: () => void, queue: Queue) {
  let isDue = false;
  let dueAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let aloneUntil = Number.NEGATIVE_INFINITY;

  function now(): void {
    clearTimeout(timer);
    timer = undefined;
    isDue = false;
    write();
    last = clock.tick();
    // A transaction has a limit, so some batches may be left.
    if (queue.batches() > 0) next();
  }

  function next(): void {
    isDue = true;
    dueAt = clock.tick();
    setImmediate(turn, queue.size());
  }

  /**
   * Waits as long as each turn of the event loop brings more. A client with many connections writes to them over
   * several turns, so 64 hits at once would become two commits.
   */
  function turn(before: number): void {
    const size = queue.size();
    const isGrowing = size > before && size < PLENTY && clock.tick() - dueAt < WINDOW_MS;
    if (isGrowing) setImmediate(turn, size);
    else now();
  }

  function afterWaiting(): void {
    if (queue.batches() === 1) aloneUntil = clock.tick() + IN_VAIN_MS;
    now();
  }

  return {
    /** Tells that there is more to write. */
    soon(): void {
      if (isDue) return;
      const tick = clock.tick();
      const rest = tick < aloneUntil || queue.size() >= ENOUGH ? 0 : last + WINDOW_MS - tick;
      if (rest > 0) timer ??= setTimeout(afterWaiting, rest);
      else next();
    },
    now,
  };
}

/** A batch that comes so soon after a commit waits for others. */
const WINDOW_MS = 6;
/** So many hits are worth a commit. So nobody waits under load, nor does a server that sends many hits at once. */
const ENOUGH = 4;
/**
 * After a wait that no other batch joined, no batch waits for this time. Waits would only slow a client that sends
 * batches one by one.
 */
const IN_VAIN_MS = 100;
/** A larger commit is no cheaper for each hit. */
const PLENTY = 1_000;
