import type { Outage } from '../store/server/outages.ts';
import type { Range } from './query.ts';

/** True if no outage lies between two instants. Time before the first hit of the site does not count. */
export const isComplete = (outages: readonly Outage[], firstHit: number, { from, to }: Range): boolean =>
  !outages.some((outage) => Math.max(outage.from, from, firstHit) < Math.min(outage.to, to));
