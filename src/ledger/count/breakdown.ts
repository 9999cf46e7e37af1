import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Column } from '../column/packing.ts';
import type { Day, Selection, ValueCounts } from '../day/day.ts';
import { type DistinctSums, tallyHits, tallyVisits } from './distinct.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';

/**
 * The counts of a breakdown. Entry i of each list belongs to row i. `terms` are ascending. In breakdowns of visits,
 * such as countries, all `hits` are 0.
 */
export type TermCounts = { terms: ArrayLike<number>; visitors: ArrayLike<number>; hits: ArrayLike<number> };

export const keepsEmpty = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].keepsEmpty;

/** A breakdown, and the column of a day with the values of this breakdown. */
export type BreakdownColumn = { breakdown: Breakdown; column: Column };

/**
 * Adds a day to the counts of a breakdown. In a breakdown of hits, a hit counts if its visit is selected and the hit
 * passes `counted`. For event labels and properties, `counted` may accept only events of one name, such as `signup`.
 */
export function addDay(
  sums: DistinctSums,
  day: Day,
  { breakdown, column }: BreakdownColumn,
  selection: Selection,
  counted: HitTest = {},
): void {
  const { counts } = DIMENSIONS[BREAKDOWNS[breakdown]];
  if (counts === 'visits') tallyVisits(sums, day, column, selection);
  else {
    const event = counts === 'pageviews' ? PAGEVIEW : counted.event;
    tallyHits(sums, day, column, selection, makeMatches(day, { where: counted.where, event }));
  }
}

/**
 * Lists the values that have visitors. Some breakdowns have a row for term 0, the empty text, such as visits without a
 * source. All other breakdowns leave this row out.
 */
export function listCounts({ visitors, hits }: DistinctSums, breakdown: Breakdown): ValueCounts {
  const found: number[] = [];
  for (let term = keepsEmpty(breakdown) ? 0 : 1; term < visitors.length; term++) {
    if (visitors[term] !== 0) found.push(term);
  }
  // Typed arrays take half the memory of plain arrays, and can be copied to another thread faster.
  const terms = Uint32Array.from(found);
  const pick = (list: Uint32Array) => terms.map((term) => list[term] as number);
  return { terms, visitors: pick(visitors), hits: pick(hits) };
}
