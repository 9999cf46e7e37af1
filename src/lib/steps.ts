import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './time.ts';

/** Work in short steps, between which the write lock is free. */
export type Steps<Result = void> = Generator<void, Result>;

/** A longer pause would not help writers, and would slow down steps that mostly compute. */
const LONGEST_PAUSE_MS = 10;

/** Runs the steps with a pause after each, as long as the step took, so that other writers get the lock. */
export async function runPolitely<Result>(steps: Steps<Result>, clock: Pick<Clock, 'tick'>): Promise<Result> {
  for (;;) {
    const start = clock.tick();
    const { done, value } = steps.next();
    if (done) return value as Result;
    await pause(Math.min(clock.tick() - start, LONGEST_PAUSE_MS));
  }
}

/** Gives the steps until a signal asks to stop. Finished steps stay done. */
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
