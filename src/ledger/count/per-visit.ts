// Makes lists with a number for each visit of a day, such as its pageviews.
//
// Invariant: a list has an entry for every visit of the day. The entries of visits that are not selected may be 0.
//
// Example: the visits 0, 1 and 2 have 3, 1 and 2 pageviews. Each visit has one pageview of page /a. Without a page
// filter, `countPageviewsByVisit` returns 3, 1, 2 and reads no hit. With the filter "page is /a", it returns 1, 1, 1.
//
// Filters, totals and row figures call this file. The loops have no `if`, because the processor would often predict the
// wrong branch.
import { BOUNCE_SUM } from '../../stats/definitions.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, isNarrow, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isEqual, isPossible, type Match, pairMatches } from './match.ts';

/** A list with one figure for each visit, such as its pageviews. Entry 5 belongs to visit 5. */
export type ByVisit = ArrayLike<number>;

export function readSecondsByVisit(day: Day, { visits, count }: Selection): ByVisit {
  const { terms, codes } = day.column('seconds');
  const seconds = new Uint32Array(codes.length);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    seconds[visit] = terms[codes[visit] as number] as number;
  }
  return seconds;
}

export function markBounces(day: Day, { visits, count }: Selection): ByVisit {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const bounces = new Uint8Array(hits.length);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    bounces[visit] = isEqual((hits[visit] as number) + (terms[codes[visit] as number] as number), BOUNCE_SUM);
  }
  return bounces;
}

export function countAllPageviews(day: Day): Uint32Array {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const pageviews = new Uint32Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    pageviews[visit] = (hits[visit] as number) - (terms[codes[visit] as number] as number);
  }
  return pageviews;
}

/**
 * Counts the pageviews of each visit. With a filter on hits, such as by page, only pageviews that pass this filter
 * count.
 */
export const countPageviewsByVisit = (day: Day, selection: Selection, counted: HitTest): ByVisit =>
  isNarrow(counted)
    ? countHitsByVisit(day, selection, makeMatches(day, { ...counted, event: PAGEVIEW }))
    : countAllPageviews(day);

/**
 * For each hit, counts the earlier hits that pass. The last entry counts all passing hits. For example, if the hits 0,
 * 2 and 3 of four hits pass, the result is 0, 1, 1, 2, 3. The count of a visit is the difference between two entries.
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

/**
 * If fewer than one visit in 8 is selected, only the hits of selected visits are read. Otherwise, one loop over all
 * hits is faster.
 */
const FEW = 8;

/** Counts the hits of each selected visit that pass all of `matches`. The entries of all other visits are 0. */
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
