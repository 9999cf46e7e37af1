import type { Outage } from '../store/server/outages.ts';
import type { Range } from './question.ts';

/** Whether nothing was missed between two instants, counted from the first hit of the site on. */
export const isComplete = (outages: readonly Outage[], firstHit: number, { from, to }: Range): boolean =>
  !outages.some((outage) => Math.max(outage.from, from, firstHit) < Math.min(outage.to, to));
