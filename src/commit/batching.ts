// Chooses the moment at which waiting batches of hits are written. Each commit syncs the disk once, which costs the
// same for one hit as for many. So hits that arrive together should share a commit.
//
// Invariant: a batch never waits longer than 6 ms for other batches. It does not wait at all if the last commit was
// longer ago. Then it is written as soon as all requests that have arrived are read.
//
// Example: under load 64 requests that arrive together become one commit. A batch that comes 2 ms after a commit waits
// until 6 ms after that commit. So batches that arrive in the meantime share the next commit. `group-commit.ts` calls
// gather (test/commit/batching.test.ts).

import type { Clock } from '../lib/time.ts';

/** The batches of hits that wait to be written. `size` gives the number of hits in all of them. */
type Queue = { size(): number; batches(): number };

/** Makes a timer for writes. It calls `write` when the batches of hits that wait in `queue` should be written. */
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
    // `write` takes at most 1,000 hits, so some batches may still wait. The next write takes them.
    if (queue.batches() > 0) next();
  }

  function next(): void {
    isDue = true;
    dueAt = clock.tick();
    setImmediate(turn, queue.size());
  }

  /**
   * Puts off the write while each turn of the event loop brings more hits. One turn reads only some of the connections.
   * Without this wait, 64 hits that arrive together on 64 connections would need two commits.
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
    /** Call this after adding a batch to the queue. The write happens at once, or up to 6 ms later. */
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

/** A batch that comes less than 6 ms after a commit waits for other batches, so that they share one commit. */
const WINDOW_MS = 6;
/** When 4 hits wait, a commit begins without a further wait. So there is no delay under load. */
const ENOUGH = 4;
/**
 * If a batch waited and no other batch came, no batch waits for the next 100 ms. A client that sends one hit after
 * another would only be slowed down by waiting.
 */
const IN_VAIN_MS = 100;
/** From 1,000 hits in a commit on, waiting for more hits saves nothing: the cost of the disk sync is small then. */
const PLENTY = 1_000;
