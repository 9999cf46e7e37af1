import type { Column } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { isEqual, isPossible, listRareRows, type Match, mostRare, pairMatches } from './match.ts';

/** Visitors and hits by term, over any number of days. */
export type Sums = { visitors: Uint32Array; hits: Uint32Array };

export const emptySums = (terms: number): Sums => ({
  visitors: new Uint32Array(terms),
  hits: new Uint32Array(terms),
});

/** Grows the buffers for the largest of the terms, which are ascending. */
export function makeRoom(sums: Sums, terms: ArrayLike<number>): void {
  const largest = terms[terms.length - 1] ?? 0;
  if (largest < sums.visitors.length) return;
  const size = 2 ** Math.ceil(Math.log2(largest + 1));
  for (const name of ['visitors', 'hits'] as const) {
    const larger = new Uint32Array(size);
    larger.set(sums[name]);
    sums[name] = larger;
  }
}

/**
 * What is counted of one day, by the codes of a column: a loop over rows that looks up their terms takes twice as long. `latest` is the
 * last visit or visitor that was counted for a code, numbered from 1. Visits are sorted by visitor, so one comparison tells if the
 * visitor is new to the code.
 */
type OfDay = Sums & { latest: Uint32Array };

let ofDay: OfDay = { ...emptySums(0), latest: new Uint32Array(0) };

/** Zeros for so many codes; the next call overwrites them. */
function countsOfDay(codes: number): OfDay {
  if (codes > ofDay.latest.length) ofDay = { ...emptySums(2 * codes), latest: new Uint32Array(2 * codes) };
  for (const counts of Object.values(ofDay)) counts.fill(0, 0, codes);
  return ofDay;
}

function addOfDay(sums: Sums, terms: ArrayLike<number>): void {
  makeRoom(sums, terms);
  const { visitors, hits } = sums;
  for (let code = 0; code < terms.length; code++) {
    const term = terms[code] as number;
    visitors[term] = (visitors[term] as number) + (ofDay.visitors[code] as number);
    hits[term] = (hits[term] as number) + (ofDay.hits[code] as number);
  }
}

/** Whether a selected visit of the same visitor before the one at `place` has its code; a visitor has few visits a day. */
function isRepeated({ visits }: Selection, place: number, codes: Numbers, again: Numbers): boolean {
  const visit = visits[place] as number;
  const first = findFirstVisit(again, visit);
  for (let i = place - 1; i >= 0 && (visits[i] as number) >= first; i--) {
    if (codes[visits[i] as number] === codes[visit]) return true;
  }
  return false;
}

/** Counts all selected visits, and takes off those of visitors who were counted: the processor does not foresee who comes again. */
export function tallyVisits(sums: Sums, day: Day, { terms, codes }: Column, selection: Selection): void {
  const { visits, count } = selection;
  const { visitors } = countsOfDay(terms.length);
  for (let i = 0; i < count; i++) {
    const code = codes[visits[i] as number] as number;
    visitors[code] = (visitors[code] as number) + 1;
  }
  const again = day.column('again').codes;
  const places = sharedBuffer('again', count + 1);
  let comeAgain = 0;
  for (let i = 0; i < count; i++) {
    places[comeAgain] = i;
    comeAgain += again[visits[i] as number] as number;
  }
  for (let i = 0; i < comeAgain; i++) {
    const place = places[i] as number;
    if (!isRepeated(selection, place, codes, again)) continue;
    const code = codes[visits[place] as number] as number;
    visitors[code] = (visitors[code] as number) - 1;
  }
  addOfDay(sums, terms);
}

/** Counts those of some hits, of any visits, that match both conditions. */
function tallyFew(
  day: Day,
  codes: Numbers,
  { visits: few, count }: Selection,
  [first, second]: readonly Match[],
): void {
  const { visitors, hits, latest } = ofDay;
  const again = day.column('again').codes;
  const ofVisit = day.column('hits').codes;
  let visit = -1;
  let end = 0;
  let firstVisit = 0;
  for (let i = 0; i < count; i++) {
    const hit = few[i] as number;
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    while (end <= hit) {
      end += ofVisit[++visit] as number;
      if (again[visit] === 0) firstVisit = visit;
    }
    const code = codes[hit] as number;
    hits[code] = (hits[code] as number) + 1;
    if ((latest[code] as number) > firstVisit) continue;
    latest[code] = visit + 1;
    visitors[code] = (visitors[code] as number) + 1;
  }
}

/** The hits that match, if these are few and all visits are selected. */
function fewOf(day: Day, { count }: Selection, matches: readonly Match[]): Selection | undefined {
  if (count < day.totals.visits) return undefined;
  for (const match of matches) {
    const rare = listRareRows(match, sharedBuffer('rareHits', mostRare(match.codes.length)));
    if (rare) return rare;
  }
  return undefined;
}

/**
 * By how much the owner of each hit is above that of the one before. An owner is the number of the visitor, from 1, twice, and one more if
 * the visit is selected.
 */
function ownerStepsOf(day: Day, { visits, count }: Selection, hits: number): Uint32Array {
  const again = day.column('again').codes;
  const ofVisit = day.column('hits').codes;
  const selected = new Uint8Array(again.length);
  for (let i = 0; i < count; i++) selected[visits[i] as number] = 1;
  const steps = sharedBuffer('owners', hits + 1).fill(0, 0, hits + 1);
  let [hit, visitor, before] = [0, 0, 0];
  for (let visit = 0; visit < again.length; visit++) {
    visitor += isEqual(again[visit] as number, 0);
    const owner = 2 * visitor + (selected[visit] as number);
    steps[hit] = (steps[hit] as number) + owner - before;
    before = owner;
    hit += ofVisit[visit] as number;
  }
  return steps;
}

/** Looks at all hits in turn: a visit has so few that the end of its own loop, which the processor does not foresee, takes as long as they do. */
function tallyMost(day: Day, codes: Numbers, selection: Selection, matches: readonly Match[]): void {
  const { visitors, hits, latest } = ofDay;
  const [first, second] = pairMatches(matches, codes.length);
  const steps = ownerStepsOf(day, selection, codes.length);
  let owner = 0;
  // Without a branch, because there are many of either kind.
  for (let hit = 0; hit < codes.length; hit++) {
    owner = (owner + (steps[hit] as number)) | 0;
    const visitor = owner >> 1;
    const isCounted =
      owner & isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
    const code = codes[hit] as number;
    hits[code] = (hits[code] as number) + isCounted;
    const last = latest[code] as number;
    const isNew = isCounted & (isEqual(last, visitor) ^ 1);
    latest[code] = last + ((visitor - last) & -isNew);
    visitors[code] = (visitors[code] as number) + isNew;
  }
}

function tallyMany(day: Day, codes: Numbers, { visits, count }: Selection, matches: readonly Match[]): void {
  const { visitors, hits, latest } = ofDay;
  const [first, second] = pairMatches(matches, codes.length);
  const again = day.column('again').codes;
  const starts = findStarts(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const firstVisit = findFirstVisit(again, visit);
    const end = starts[visit + 1] as number;
    // Without a branch, because there are many of either kind.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      const code = codes[hit] as number;
      hits[code] = (hits[code] as number) + isCounted;
      const last = latest[code] as number;
      const isNew = isCounted & ((last - firstVisit - 1) >>> 31);
      latest[code] = last + ((visit + 1 - last) & -isNew);
      visitors[code] = (visitors[code] as number) + isNew;
    }
  }
}

/** Counts the hits of the selected visits that match both conditions. */
export function tallyHits(
  sums: Sums,
  day: Day,
  { terms, codes }: Column,
  selection: Selection,
  matches: readonly Match[],
): void {
  if (!isPossible(matches)) return;
  countsOfDay(terms.length);
  const few = fewOf(day, selection, matches);
  if (few) tallyFew(day, codes, few, matches);
  else if (selection.count * 2 > day.totals.visits) tallyMost(day, codes, selection, matches);
  else tallyMany(day, codes, selection, matches);
  addOfDay(sums, terms);
}
