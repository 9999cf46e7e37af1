import type { Outage } from '../store/server/outages.ts';
import type { Range } from './query.ts';

/**
 * Returns true if no outage of the server overlaps the range. Time before the first hit of the site does not matter.
 */
export const isComplete = (outages: readonly Outage[], firstHit: number, { from, to }: Range): boolean =>
  !outages.some((outage) => Math.max(outage.from, from, firstHit) < Math.min(outage.to, to));
