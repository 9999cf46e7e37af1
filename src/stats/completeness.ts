import type { Queries } from '../engine/engine.ts';
import type { Outage } from '../store/server/outages.ts';
import type { Range } from './query.ts';

export type CompletenessCheck = (siteId: number, instants: Range) => boolean;

/**
 * Makes a function that tells whether a site missed no hits in a range of seconds. This is true if no outage of the
 * server overlaps the range. An outage before the first hit of a site does not count. `whole` must contain all ranges
 * for which the function will be called.
 */
export async function makeCompletenessCheck(
  queries: Pick<Queries, 'findFirstHits'>,
  outages: readonly Outage[],
  siteIds: readonly number[],
  whole: Range,
): Promise<CompletenessCheck> {
  if (outages.length === 0) return () => true;
  const since = Math.max(whole.from, Math.min(...outages.map(({ from }) => from)));
  const firstHits = await queries.findFirstHits(siteIds, since);
  return (siteId, instants) => isComplete(outages, firstHits.get(siteId) ?? Number.POSITIVE_INFINITY, instants);
}

/** True if no outage of the server overlaps the range. Outages before the first hit of the site do not count. */
const isComplete = (outages: readonly Outage[], firstHit: number, { from, to }: Range): boolean =>
  !outages.some((outage) => Math.max(outage.from, from, firstHit) < Math.min(outage.to, to));
