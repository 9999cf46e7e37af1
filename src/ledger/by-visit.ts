import { type Day, startsOf } from './day.ts';
import { type HitTest, matchesOf, PAGEVIEW } from './hit-test.ts';
import { bothOf, isEqual, isPossible, type Match, type Selection } from './tally.ts';

/** A number of each visit. */
export type ByVisit = ArrayLike<number>;

export function secondsByVisit(day: Day): ByVisit {
  const { terms, codes } = day.column('seconds');
  const seconds = new Uint32Array(codes.length);
  for (let visit = 0; visit < codes.length; visit++) seconds[visit] = terms[codes[visit] as number] as number;
  return seconds;
}

/** 1 for a bounce, else 0: every visit has a hit, and one without events is a pageview. */
export function bouncesByVisit(day: Day): ByVisit {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  const bounces = new Uint8Array(hits.length);
  for (let visit = 0; visit < hits.length; visit++) {
    bounces[visit] = isEqual((hits[visit] as number) + (terms[codes[visit] as number] as number), 1);
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
  page ? hitsByVisit(day, selection, matchesOf(day, { page, event: PAGEVIEW })) : allPageviews(day);

/** How many hits of each visit match both conditions: one pass over the hits, most of which may not match. */
function hitsByEveryVisit(day: Day, [first, second]: readonly Match[]): Uint32Array {
  const ofVisit = day.column('hits').codes;
  const hits = day.column('event').codes.length;
  const counts = new Uint32Array(ofVisit.length);
  let visit = -1;
  let end = 0;
  for (let hit = 0; hit < hits; hit++) {
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    while (end <= hit) end += ofVisit[++visit] as number;
    counts[visit] = (counts[visit] as number) + 1;
  }
  return counts;
}

/** The same of the selected visits. */
export function hitsByVisit(day: Day, { visits, count }: Selection, matches: readonly Match[]): Uint32Array {
  if (count === day.totals.visits) return hitsByEveryVisit(day, matches);
  const counts = new Uint32Array(day.totals.visits);
  if (!isPossible(matches)) return counts;
  const starts = startsOf(day);
  const [first, second] = bothOf(matches, starts[day.totals.visits] as number);
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
