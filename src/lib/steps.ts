import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './time.ts';

/** Work in short steps, between which the write lock is free. */
export type Steps<Result = void> = Generator<void, Result>;

/** Longer pauses help nobody who waits for the lock, and would keep back a step that mostly computes. */
const LONGEST_PAUSE_MS = 10;

/** Takes the steps, and leaves others as much time as each took. */
export async function politely<Result>(steps: Steps<Result>, clock: Pick<Clock, 'tick'>): Promise<Result> {
  for (;;) {
    const start = clock.tick();
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause(Math.min(clock.tick() - start, LONGEST_PAUSE_MS));
  }
}

/** Takes them all at once, where nobody waits. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}
