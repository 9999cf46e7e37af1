import { BOUNCE_SUM } from '../../stats/definitions.ts';
import { type Day, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isEqual, isPossible, type Match, pairMatches } from './match.ts';

/** A number of each visit. */
export type ByVisit = ArrayLike<number>;

export function secondsByVisit(day: Day): ByVisit {
  const { terms, codes } = day.column('seconds');
  const seconds = new Uint32Array(codes.length);
  for (let visit = 0; visit < codes.length; visit++) seconds[visit] = terms[codes[visit] as number] as number;
  return seconds;
}

/** 1 for a bounce, else 0. */
export function bouncesByVisit(day: Day): ByVisit {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const bounces = new Uint8Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    bounces[visit] = isEqual((hits[visit] as number) + (terms[codes[visit] as number] as number), BOUNCE_SUM);
  }
  return bounces;
}

/** How many pageviews each visit has. */
export function allPageviews(day: Day): Uint32Array {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const pageviews = new Uint32Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    pageviews[visit] = (hits[visit] as number) - (terms[codes[visit] as number] as number);
  }
  return pageviews;
}

/** The counted pageviews of each visit; without a page filter no hit is looked at. */
export const pageviewsByVisit = (day: Day, selection: Selection, { page }: HitTest): ByVisit =>
  page ? hitsByVisit(day, selection, makeMatches(day, { page, event: PAGEVIEW })) : allPageviews(day);

/**
 * How many hits before each one match both conditions, and last of all how many match. A visit has as many as the numbers at its two
 * ends differ by. For most visits of a day this takes half the time of a loop over the hits of each, whose end the processor guesses wrong.
 */
function matchesBefore([first, second]: readonly [Match, Match], hits: number): Uint32Array {
  const before = sharedBuffer('before', hits + 1);
  let count = 0;
  for (let hit = 0; hit < hits; hit++) {
    before[hit] = count;
    count += isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
  }
  before[hits] = count;
  return before;
}

/** For less than one visit in so many it is faster to look at their hits only. */
const FEW = 8;

/** How many hits of each selected visit match both conditions. */
export function hitsByVisit(day: Day, { visits, count }: Selection, matches: readonly Match[]): Uint32Array {
  const counts = new Uint32Array(day.totals.visits);
  if (!isPossible(matches)) return counts;
  const starts = findStarts(day);
  const hits = starts[counts.length] as number;
  const [first, second] = pairMatches(matches, hits);
  if (count * FEW >= counts.length) {
    const before = matchesBefore([first, second], hits);
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
