// Chooses when waiting batches of hits are written. A commit with many hits costs the same as a commit with one hit,
// because each commit syncs the disk once.
//
// Invariant: a batch never waits longer than 6 ms for other batches. If no commit happened in the last 6 ms, a batch is
// written as soon as all requests that have arrived are read.
//
// Example: under load 64 requests that arrive together become one commit. A batch that comes 2 ms after a commit waits
// until 6 ms after that commit. So batches that arrive in the meantime share the next commit. `group-commit.ts` calls
// gather (test/commit/batching.test.ts).

import type { Clock } from '../lib/time.ts';

/** The batches that wait to be written. `size` gives the number of their hits. */
type Queue = { size(): number; batches(): number };

/** Makes the timing of writes. The returned functions call `write` when the waiting batches should be written. */
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
    // A transaction has a maximum size. So some batches may still wait, and the next transaction writes them.
    if (queue.batches() > 0) next();
  }

  function next(): void {
    isDue = true;
    dueAt = clock.tick();
    setImmediate(turn, queue.size());
  }

  /**
   * Waits while each turn of the event loop brings more hits. A client with many connections sends over several
   * turns. Without this wait, 64 hits that a client sends together would become two commits.
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
    /** Called after a batch was added to the queue. */
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

/** A batch that comes within this time after a commit waits for other batches. */
const WINDOW_MS = 6;
/**
 * With this many waiting hits, a commit begins without a further wait. So there is no delay under load, or when a
 * server sends many hits together.
 */
const ENOUGH = 4;
/**
 * A batch may wait for other batches in vain. After that, no batch waits for this time. If a client sends one batch
 * after another, waiting would only slow it down.
 */
const IN_VAIN_MS = 100;
/** If a commit has more hits than this, a hit does not become cheaper. */
const PLENTY = 1_000;
