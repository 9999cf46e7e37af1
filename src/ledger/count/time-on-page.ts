import type { Times } from '../../stats/aggregates.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isEqual, isPossible, pairMatches } from './match.ts';

/**
 * The pageviews whose time on page is known. The first `size` entries of `hits` are their indexes. `seen` has the
 * seconds of each hit of the day.
 */
type TimedHits = { hits: Uint32Array; size: number; seen: Numbers };

/**
 * Lists the pageviews of selected visits whose time on page is known. With a filter on hits, such as by page, only pageviews that pass it are
 * listed.
 * 0 seconds means that the time is not known.
 */
export function listTimedHits(day: Day, { visits, count }: Selection, { where }: HitTest): TimedHits {
  const seen = day.column('engaged').codes;
  const matches = makeMatches(day, { where, event: PAGEVIEW });
  if (!isPossible(matches)) return { hits: new Uint32Array(0), size: 0, seen };
  const [first, second] = pairMatches(matches, seen.length);
  const starts = findStarts(day);
  const all = starts[day.totals.visits] as number;
  const hits = sharedBuffer('hits', all);
  let size = 0;
  // If all visits are selected, one loop reads all hits. Many short loops would take twice as long, because the
  // processor often predicts their end wrong.
  const isAll = count === day.totals.visits;
  const runs = isAll ? 1 : count;
  for (let i = 0; i < runs; i++) {
    const visit = visits[i] as number;
    const end = isAll ? all : (starts[visit + 1] as number);
    // An `if` in this loop would be slower, because the processor often predicts it wrong.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      hits[size] = hit;
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      size += isCounted & (isEqual(seen[hit] as number, 0) ^ 1);
    }
  }
  return { hits, size, seen };
}

export function sumTimes(day: Day, selection: Selection, counted: HitTest): Times {
  const { hits, size, seen } = listTimedHits(day, selection, counted);
  let sum = 0;
  for (let i = 0; i < size; i++) sum += seen[hits[i] as number] as number;
  return { told: size, seen: sum };
}
