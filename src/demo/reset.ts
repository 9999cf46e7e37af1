import { setTimeout as pause } from 'node:timers/promises';
import { HOUR } from '../lib/time.ts';

/**
 * The pause between two looks at the clock. During one long wait, somebody may change the clock of the machine. Then
 * the wait would end at a wrong time.
 */
const LOOK_MS = 1_000;

/** Finds the next full hour, in seconds. At that time, the public demo replaces its data by new data. */
export const findNextReset = (now: number): number => (Math.floor(now / HOUR) + 1) * HOUR;

/** Waits until the clock has reached a moment, or until the demo stops. */
export async function waitUntil(moment: number, now: () => number, stop: AbortSignal): Promise<void> {
  while (now() < moment && !stop.aborted) await pause(LOOK_MS, undefined, { signal: stop }).catch(() => {});
}
