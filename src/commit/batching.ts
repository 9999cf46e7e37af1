// Chooses when batches that wait are written.
//
// A commit costs a sync of the disk, however many hits are in it. Under load 64 requests that arrive together become one commit. A batch
// that comes 2 ms after a commit waits until 6 ms have passed since then, so that later ones share the next commit. A lone batch is
// written once all requests that have arrived are read. `group-commit.ts` calls it. Test: test/commit/batching.test.ts.

import type { Clock } from '../lib/time.ts';

/** A batch that comes so soon after a commit waits for others: a commit costs as much as a few hits. */
const WINDOW_MS = 6;
/** So many hits are worth a commit. Under load no sender waits, nor does a server that sends many hits at once. */
const ENOUGH = 4;
/** After a wait that no batch joined, none waits for so long: a client that sends batches one by one would only be slowed. */
const IN_VAIN_MS = 100;
/** From so many hits on a larger commit is no cheaper for each hit. */
const PLENTY = 1_000;

/** What waits to be written. `size` counts hits. */
type Queue = { size(): number; batches(): number };

/** Calls `write` when the batches in the queue should be written. */
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
    // A transaction has a limit, so that batches may be left.
    if (queue.batches() > 0) next();
  }

  function next(): void {
    isDue = true;
    dueAt = clock.tick();
    setImmediate(turn, queue.size());
  }

  /**
   * Waits on while each turn of the event loop brings more, because a client with many connections writes to them over several
   * turns: 64 hits that it sends at once would be two commits.
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
    /** Call it when there is more to write. */
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
