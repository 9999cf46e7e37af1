// Lists the pageviews with a known measurement: for how long the page was visible, or how much of it was seen.
//
// Invariant: only pageviews are listed. An event may also have seconds, but these are left out.
//
// Example: three pageviews have 0, 12 and 30 seconds. 0 means unknown, so two of them have known seconds, and the sum
// is 42 s. hit-figures.ts, query/measure.ts, query/scan.ts and sealed/row-sums.ts call this file.
import type { Times } from '../../stats/aggregates.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isEqual, isPossible, pairMatches } from './match.ts';

/**
 * The pageviews with a value above 0 in a column. The first `size` entries of `hits` are the indexes of these
 * pageviews. `numbers` has the column's value for each hit of the day.
 */
export type ToldHits = { hits: Uint32Array; size: number; numbers: Numbers };

/**
 * Lists the pageviews of selected visits whose seconds or depth are known. In both columns, 0 means unknown. With a
 * filter on hits, such as by page, only pageviews that pass the filter are listed.
 */
export function listToldHits(
  day: Day,
  { visits, count }: Selection,
  { where }: HitTest,
  column: 'engaged' | 'scroll',
): ToldHits {
  const numbers = day.column(column).codes;
  const matches = makeMatches(day, { where, event: PAGEVIEW });
  if (!isPossible(matches)) return { hits: new Uint32Array(0), size: 0, numbers };
  const [first, second] = pairMatches(matches, numbers.length);
  const starts = findStarts(day);
  const all = starts[day.totals.visits] as number;
  const hits = sharedBuffer('hits', all);
  let size = 0;
  // If all visits are selected, one loop reads all hits. A short loop for each visit would take twice as long. The
  // processor often predicts the end of a short loop wrong.
  const isAll = count === day.totals.visits;
  const runs = isAll ? 1 : count;
  for (let i = 0; i < runs; i++) {
    const visit = visits[i] as number;
    const end = isAll ? all : (starts[visit + 1] as number);
    // An `if` in this loop would be slower, because the processor would often predict the wrong branch.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      hits[size] = hit;
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      size += isCounted & (isEqual(numbers[hit] as number, 0) ^ 1);
    }
  }
  return { hits, size, numbers };
}

export function sumTimes(day: Day, selection: Selection, counted: HitTest): Times {
  const { hits, size, numbers } = listToldHits(day, selection, counted, 'engaged');
  let sum = 0;
  for (let i = 0; i < size; i++) sum += numbers[hits[i] as number] as number;
  return { told: size, seen: sum };
}
