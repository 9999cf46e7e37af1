import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './time.ts';

/** Work in short steps. Between two steps the write lock of the database is free. */
export type Steps<Result = void> = Generator<void, Result>;

/**
 * The longest pause between two steps. A longer pause would not help other writers, and would slow down steps that
 * mostly compute.
 */
const LONGEST_PAUSE_MS = 10;

/** Runs the steps. After each step there is a pause as long as the step, so that other writers get the lock. */
export async function runPolitely<Result>(steps: Steps<Result>, clock: Pick<Clock, 'tick'>): Promise<Result> {
  for (;;) {
    const start = clock.tick();
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause(Math.min(clock.tick() - start, LONGEST_PAUSE_MS));
  }
}

/** Runs the steps until `stop` aborts. Finished steps are not undone. */
export function* stepUntilStopped(steps: Steps, stop: Pick<AbortSignal, 'aborted'> | undefined): Steps {
  for (const _ of steps) {
    if (stop?.aborted) return;
    yield;
  }
}

/** Runs the steps without pauses, for work during which no other writer waits. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}
