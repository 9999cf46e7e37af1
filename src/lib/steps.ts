import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './time.ts';

/**
 * Work in short steps, such as copying a file. Between two steps, other writers can take the write lock of the
 * database.
 */
export type Steps<Result = void> = Generator<void, Result>;

/** The longest pause. A longer one would not help other writers, and would slow down steps that mostly compute. */
const LONGEST_PAUSE_MS = 10;

/**
 * Runs work step by step. After each step there is a pause as long as the step, but at most 10 ms. In the pause, other
 * writers get the lock of the database.
 */
export async function runPolitely<Result>(steps: Steps<Result>, clock: Pick<Clock, 'tick'>): Promise<Result> {
  for (;;) {
    const start = clock.tick();
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause(Math.min(clock.tick() - start, LONGEST_PAUSE_MS));
  }
}

/** Runs steps until `stop` aborts. Finished steps are not undone. */
export function* stepUntilStopped(steps: Steps, stop: Pick<AbortSignal, 'aborted'> | undefined): Steps {
  for (const _ of steps) {
    if (stop?.aborted) return;
    yield;
  }
}

/**
 * Runs work step by step without pauses. Call this function only if no other writer waits for the lock of the database.
 */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}
