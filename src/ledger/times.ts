import { noTimes, type Times } from '../stats/measured.ts';
import type { Numbers } from './bytes.ts';
import { type Day, sharedBuffer, startsOf } from './day.ts';
import { type HitTest, isPossible, matchesOf, PAGEVIEW } from './hit-test.ts';
import { isEqual } from './select.ts';
import type { Match, Selection } from './tally.ts';

/** Some hits of a day, in the first entries of a buffer. */
type Narrowed = { hits: Uint32Array; size: number };

/** The hits of the selected visits, in the first entries of a buffer. */
function hitsOf(day: Day, { visits, count }: Selection): Narrowed {
  const starts = startsOf(day);
  const all = starts[day.totals.visits] as number;
  const hits = sharedBuffer('hits', all);
  if (count === day.totals.visits) {
    for (let hit = 0; hit < all; hit++) hits[hit] = hit;
    return { hits, size: all };
  }
  let size = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) hits[size++] = hit;
  }
  return { hits, size };
}

/** Narrows hits to those that have a code, or to those that have another. Without a branch, because both are common. */
function narrowed({ hits, size }: Narrowed, { codes, code }: Match, isWanted: boolean): Narrowed {
  const unwanted = isWanted ? 0 : 1;
  let left = 0;
  for (let i = 0; i < size; i++) {
    const hit = hits[i] as number;
    hits[left] = hit;
    left += isEqual(codes[hit] as number, code) ^ unwanted;
  }
  return { hits, size: left };
}

/** The counted pageviews of the selected visits that told for how many seconds they were seen. */
export function tellingHits(day: Day, selection: Selection, { page }: HitTest): Narrowed & { seen: Numbers } {
  const seen = day.column('engaged').codes;
  const matches = matchesOf(day, { page, event: PAGEVIEW });
  let telling = isPossible(matches) ? hitsOf(day, selection) : { hits: new Uint32Array(0), size: 0 };
  for (const match of matches) telling = narrowed(telling, match, true);
  return { ...narrowed(telling, { codes: seen, code: 0 }, false), seen };
}

export function timesOf(day: Day, selection: Selection, counted: HitTest): Times {
  const { hits, size, seen } = tellingHits(day, selection, counted);
  const times = { ...noTimes(), told: size };
  for (let i = 0; i < size; i++) times.seen += seen[hits[i] as number] as number;
  return times;
}
