import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Day, Selection } from '../day/day.ts';
import { type DistinctSums, tallyHits, tallyVisits } from './distinct.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';

/**
 * Visitors and hits for each value of a breakdown. The three lists have the same order, and the terms ascend. `hits` is 0 in breakdowns
 * that count visits, such as countries.
 */
export type TermCounts = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

/**
 * Adds a day to the counts of a breakdown. A hit counts if it belongs to a selected visit and passes `counted`. For event labels, `counted`
 * names the event.
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

/** Lists the values that have visitors. The empty value is in the list only if the breakdown has a row for it. */
export function listCounts({ visitors, hits }: DistinctSums, breakdown: Breakdown): TermCounts {
  const found: number[] = [];
  for (let term = keepsEmpty(breakdown) ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) found.push(term);
  }
  // Typed arrays take half the memory of plain arrays. Copying typed arrays to another thread is also faster.
  const terms = Uint32Array.from(found);
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
