import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './time.ts';

/** Work in short steps, between which the write lock is free. */
export type Steps<Result = void> = Generator<void, Result>;

/** Longer pauses help nobody who waits for the lock, and would slow down steps that mostly compute. */
const LONGEST_PAUSE_MS = 10;

/** Runs the steps, and after each pauses for as long as it took, so that others get the lock. */
export async function politely<Result>(steps: Steps<Result>, clock: Pick<Clock, 'tick'>): Promise<Result> {
  for (;;) {
    const start = clock.tick();
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause(Math.min(clock.tick() - start, LONGEST_PAUSE_MS));
  }
}

/** The steps until somebody asks to stop; what has been done by then stays. */
export function* untilStopped(steps: Steps, stop: Pick<AbortSignal, 'aborted'> | undefined): Steps {
  for (const _ of steps) {
    if (stop?.aborted) return;
    yield;
  }
}

/** Runs them without pauses, where nobody waits for the lock. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}
