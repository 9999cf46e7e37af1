import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Day, Selection } from '../day/day.ts';
import { type DistinctSums, tallyHits, tallyVisits } from './distinct.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';

/** The counts of a breakdown by term. Terms ascend. `hits` is filled for pages and events only. */
export type TermCounts = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

/**
 * Adds a day to the counts of a breakdown. Hits of the selected visits count if they pass `counted`. Labels count for the event of
 * `counted`.
 */
export function addDay(
  sums: DistinctSums,
  day: Day,
  breakdown: Breakdown,
  selection: Selection,
  counted: HitTest = {},
): void {
  const name = BREAKDOWNS[breakdown];
  const { counts } = DIMENSIONS[name];
  const column = day.column(name);
  if (counts === 'visits') tallyVisits(sums, day, column, selection);
  else {
    const event = { hits: undefined, pageviews: PAGEVIEW, events: counted.event }[counts];
    tallyHits(sums, day, column, selection, makeMatches(day, { page: counted.page, event }));
  }
}

/** Lists the counts by term. The empty term is left out if the breakdown has no row for it. */
export function listCounts({ visitors, hits }: DistinctSums, breakdown: Breakdown): TermCounts {
  const found: number[] = [];
  for (let term = keepsEmpty(breakdown) ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) found.push(term);
  }
  // Typed lists take half the memory, and are copied to another thread fastest.
  const terms = Uint32Array.from(found);
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
