// Chooses the moment at which waiting batches are written. Each commit needs one disk sync, which takes as long for one
// hit as for many. For this reason, hits that arrive together should share a commit.
//
// Invariant: a batch waits for other batches for at most 6 ms. While each turn of the event loop brings more hits, the
// batch may wait for up to 6 ms more.
//
// Example: 64 requests that arrive together become one commit. A single batch that arrives 2 ms after a commit waits
// until 6 ms after that commit. group-commit.ts calls `gather`. Test: test/commit/batching.test.ts.

import type { Clock } from '../lib/time.ts';

/** The batches that wait. `size` returns the number of hits in all of them. */
type Queue = { size(): number; batches(): number };

/** Makes functions that call `write` at the moment when the batches in `queue` should be written. */
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
    // `write` writes at most 1,000 hits. The next call writes the batches that still wait.
    if (queue.batches() > 0) next();
  }

  function next(): void {
    isDue = true;
    dueAt = clock.tick();
    setImmediate(turn, queue.size());
  }

  /**
   * Delays the write while each turn of the event loop brings more hits. One turn reads only some connections. Without
   * the delay, 64 hits on 64 connections would need two commits.
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
    /**
     * Must be called after a batch was added to the queue. The write happens in the next turn of the event loop, or
     * some milliseconds later.
     */
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

/** A batch that arrives less than 6 ms after a commit waits for other batches. */
const WINDOW_MS = 6;
/** As soon as 4 hits wait, a commit begins. In this way, there is no delay under load. */
const ENOUGH = 4;
/**
 * If a batch waited and no other batch arrived, no batch waits for the next 100 ms. Waiting would only slow down a
 * client that sends one hit after another.
 */
const IN_VAIN_MS = 100;
/** If a commit has 1,000 hits or more, waiting for more hits saves nothing. */
const PLENTY = 1_000;
