import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Day, Selection } from '../day/day.ts';
import { type DistinctSums, tallyHits, tallyVisits } from './distinct.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';

/**
 * The rows of a breakdown, a list such as pages. Entry i of each list is about row i. `terms[i]` is the number of its
 * text, such as /a, and the terms ascend. In lists of visits, such as countries, `hits` is 0.
 */
export type TermCounts = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

/**
 * Adds a day to the counts of a breakdown, a list such as pages. A hit counts if its visit is in `selection` and the
 * hit passes `counted`. For the list of event labels, `counted` names the event whose labels count.
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

/**
 * Lists the values that have visitors, with their counts. Term 0 is the empty text. Some lists have a row for it, such
 * as visits without a source. In other lists, such as events, it is left out.
 */
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
