// Numbers of each visit, such as its pageviews, as a list by visit. Sums and filters read such lists in simple loops.
// Invariant: a list has an entry for each visit of the day, selected or not. Only entries of selected visits mean something.
//
// Example: visits 0, 1 and 2 have 3, 1 and 2 pageviews, of which one each is on page /a. Without a page filter `countPageviewsByVisit` gives
// 3, 1, 2, and no hit is read. With a filter of /a it gives 1, 1, 1.
//
// select.ts, totals.ts and row-figures.ts call it. The loops have no branches, which a processor would guess wrong.
import { BOUNCE_SUM } from '../../stats/definitions.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isEqual, isPossible, type Match, pairMatches } from './match.ts';

/** A number of each visit. */
export type ByVisit = ArrayLike<number>;

export function readSecondsByVisit(day: Day): ByVisit {
  const { terms, codes } = day.column('seconds');
  const seconds = new Uint32Array(codes.length);
  for (let visit = 0; visit < codes.length; visit++) seconds[visit] = terms[codes[visit] as number] as number;
  return seconds;
}

/** Gives 1 for a bounce, else 0. */
export function markBounces(day: Day): ByVisit {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const bounces = new Uint8Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    bounces[visit] = isEqual((hits[visit] as number) + (terms[codes[visit] as number] as number), BOUNCE_SUM);
  }
  return bounces;
}

/** Counts all pageviews of each visit. */
export function countAllPageviews(day: Day): Uint32Array {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const pageviews = new Uint32Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    pageviews[visit] = (hits[visit] as number) - (terms[codes[visit] as number] as number);
  }
  return pageviews;
}

/** Counts the pageviews of each visit that pass the page filter. */
export const countPageviewsByVisit = (day: Day, selection: Selection, { page }: HitTest): ByVisit =>
  page ? countHitsByVisit(day, selection, makeMatches(day, { page, event: PAGEVIEW })) : countAllPageviews(day);

/**
 * Counts the matches before each hit, and at the end all matches. A visit has as many as the numbers at its two ends differ by. For most
 * visits of a day, this takes half the time of a loop for each visit.
 */
function countMatchesBefore([first, second]: readonly [Match, Match], hits: number): Uint32Array {
  const before = sharedBuffer('before', hits + 1);
  let count = 0;
  for (let hit = 0; hit < hits; hit++) {
    before[hit] = count;
    count += isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
  }
  before[hits] = count;
  return before;
}

/** With less than one selected visit in so many, a loop over their hits is faster. */
const FEW = 8;

/** Counts the hits of each selected visit that match both conditions. */
export function countHitsByVisit(day: Day, { visits, count }: Selection, matches: readonly Match[]): Uint32Array {
  const counts = new Uint32Array(day.totals.visits);
  if (!isPossible(matches)) return counts;
  const starts = findStarts(day);
  const hits = starts[counts.length] as number;
  const [first, second] = pairMatches(matches, hits);
  if (count * FEW >= counts.length) {
    const before = countMatchesBefore([first, second], hits);
    for (let i = 0; i < count; i++) {
      const visit = visits[i] as number;
      counts[visit] = (before[starts[visit + 1] as number] as number) - (before[starts[visit] as number] as number);
    }
    return counts;
  }
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    let own = 0;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      own += isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
    }
    counts[visit] = own;
  }
  return counts;
}
