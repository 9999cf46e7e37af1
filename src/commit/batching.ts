import type { Clock } from '../lib/time.ts';

/** A batch that comes so soon after a commit waits for company: a commit costs as much as a few hits do. */
const WINDOW_MS = 6;
/** So many hits are worth a commit, so that under load nobody waits, nor a server that sends many at once. */
const ENOUGH = 4;
/** Where nobody joined, nobody waits for so long. Otherwise whoever sends one batch after another would be slowed down in vain. */
const IN_VAIN_MS = 100;
/** So many are as cheap in a commit as more would be. */
const PLENTY = 1_000;

/** What waits to be written: hits, and the batches in which they came. */
type Queue = { size(): number; batches(): number };

/**
 * Chooses when the batches that wait are written: after the requests that have arrived are read or, while batches come quickly one
 * after another, a few milliseconds later, together. Held by test/commit/batching.test.ts.
 */
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
    // More than one transaction takes.
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
