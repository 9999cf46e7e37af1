import type { Outage } from '../store/server/outages.ts';
import type { Range } from './query.ts';

/** True if no outage of the server overlaps the time from `from` to `to`. Time before the first hit of the site is ignored. */
export const isComplete = (outages: readonly Outage[], firstHit: number, { from, to }: Range): boolean =>
  !outages.some((outage) => Math.max(outage.from, from, firstHit) < Math.min(outage.to, to));
