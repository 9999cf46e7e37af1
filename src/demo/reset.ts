import { setTimeout as pause } from 'node:timers/promises';
import { HOUR } from '../lib/time.ts';

/** How often the clock is looked at. The clock of a machine may be set, so one long wait could end at a wrong time. */
const LOOK_MS = 1_000;

/** Finds the next full hour, at which the public demo begins anew. The result is in seconds. */
export const findNextReset = (now: number): number => (Math.floor(now / HOUR) + 1) * HOUR;

/** Waits until a moment has come on the clock, or until the demo stops. */
export async function waitUntil(moment: number, now: () => number, stop: AbortSignal): Promise<void> {
  while (now() < moment && !stop.aborted) await pause(LOOK_MS, undefined, { signal: stop }).catch(() => {});
}
