// Counts the visitors and the hits of each value of a column, for example of each page.
//
// Invariant: a visitor counts once a day for each value, even with several hits of that value.
//
// Example: visitor A has hits on the pages /a, /b and /a. Visitor B has one hit on /a. In this case, /a has 3 hits and
// 2 visitors. Hits are sorted by visitor. For each page, the list `latest` has the visitor that was counted last, or a
// visit of this visitor. At A's third hit, `latest` still has A for /a, so A does not count again. Columns of visits,
// such as the source, are counted without this list (`addVisitors`).
//
// Breakdowns, row figures and totals call this file. `tallyFew`, `tallyMost` and `tallyMany` give equal counts. Which
// of them is fastest depends on how many hits match, and how many visits are selected (npm run bench).
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, sharedBuffer } from '../day/day.ts';
import { isEqual, isPossible, listRareRows, type Match, mostRare, pairMatches } from './match.ts';
import { arePlain } from './plain-codes.ts';

/**
 * Counts by term: `visitors[7]` is the number of visitors of term 7. The counts of several days may be added into one
 * object.
 */
export type DistinctSums = { visitors: Uint32Array; hits: Uint32Array };

/** Counts the visitors of each value of a column of visits, such as country. */
export function tallyVisits(sums: DistinctSums, day: Day, { terms, codes }: Column, selection: Selection): void {
  const { visitors } = beginDay(sums, terms, 0);
  addVisitors(visitors, day, codes, selection);
  addDayCounts(sums, terms);
}

/**
 * Adds the visitors of a day: `visitors[3]` grows by the number of visitors with a selected visit of code 3. The first
 * loop counts every selected visit. The last loop subtracts each visit whose visitor has an earlier selected visit with
 * the same value. An `if` in the first loop would be slower. The processor would often guess wrong which way it goes.
 */
export function addVisitors(visitors: Uint32Array, day: Day, codes: Numbers, selection: Selection): void {
  const { visits, count } = selection;
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
}

/**
 * Counts hits and visitors of each value of a column of hits, such as page. A hit counts if its visit is selected and
 * the hit passes all of `matches`.
 */
export function tallyHits(
  sums: DistinctSums,
  day: Day,
  { terms, codes }: Column,
  selection: Selection,
  matches: readonly Match[],
): void {
  if (!isPossible(matches)) return;
  beginDay(sums, terms, day.totals.visits);
  const few = listFew(day, selection, matches);
  if (few) tallyFew(day, codes, few, matches);
  else if (selection.count * 2 > day.totals.visits) tallyMost(day, codes, selection, matches);
  else tallyMany(day, codes, selection, matches);
  addDayCounts(sums, terms);
}

/**
 * The hits that count, ascending. Despite its name, the list `visits` has these hits. Entry i of `visitors` stands for
 * the visitor of the hit `visits[i]`: the index of the visitor's first visit, plus one. So 0 stands for no visitor.
 */
export type ListedHits = Selection & { visitors: Uint32Array };

/**
 * Counts the hits of a list, and their visitors, by value. No other hit is read, so this function is faster than
 * `tallyHits`.
 */
export function tallyListed(sums: DistinctSums, { terms, codes }: Column, listed: ListedHits): void {
  const { visitors, hits, latest, before } = beginDay(sums, terms, listed.visitors[listed.count - 1] ?? 0);
  for (let i = 0; i < listed.count; i++) {
    const code = codes[listed.visits[i] as number] as number;
    const visitor = before + (listed.visitors[i] as number);
    hits[code] = (hits[code] as number) + 1;
    visitors[code] = (visitors[code] as number) + (isEqual(latest[code] as number, visitor) ^ 1);
    latest[code] = visitor;
  }
  addDayCounts(sums, terms);
}

export const emptySums = (terms: number): DistinctSums => ({
  visitors: new Uint32Array(terms),
  hits: new Uint32Array(terms),
});

/**
 * Makes the arrays of `sums` long enough for the largest term. `terms` must ascend, because only its last entry is
 * read.
 */
export function makeRoom(sums: DistinctSums, terms: ArrayLike<number>): void {
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
 * The counts of one day, by code. Counting by term would take twice as long, because each hit's term would be looked
 * up. For each code, `latest` has the number of the visit or visitor that counted last. Visits and visitors of a day
 * are numbered 1, 2, 3 and so on, and `before` is added to each number. No number from an earlier day is larger than
 * `before`. Numbers of this day are all larger, so `latest` need not be emptied for each day.
 */
type DistinctDay = DistinctSums & { latest: Uint32Array; before: number };

let dayCounts: DistinctDay = { ...emptySums(0), latest: new Uint32Array(0), before: 0 };
/** The counts of a day by code, if its codes are not the terms themselves. A later day overwrites these counts. */
let ofCodes = emptySums(0);
/**
 * When the next day is counted, `earlier` is added to each number before the number is written into `latest`. `earlier`
 * grows with each day, so the numbers of earlier days in `latest` are smaller. When `latest` is emptied, `earlier`
 * becomes 0.
 */
let earlier = 0;
/**
 * The numbers in `latest` grow with `earlier`, which grows with each day. If `earlier` exceeds this limit,
 * `latest` is emptied, and the numbers start again. `tallyMost` doubles the numbers, and twice a number must stay below
 * 2^31.
 */
const MOST_EARLIER = 2 ** 29;

/**
 * Begins to count a day. If its codes are the terms themselves, the counts are added directly to `sums`. Otherwise, the
 * counts begin with zeros, and a caller must use them before the next call. The caller may write the numbers from
 * `before` + 1 to `before` + `visits` into `latest`.
 */
function beginDay(sums: DistinctSums, terms: ArrayLike<number>, visits: number): DistinctDay {
  let { latest } = dayCounts;
  if (terms.length > latest.length || earlier > MOST_EARLIER) {
    latest = new Uint32Array(2 * terms.length);
    earlier = 0;
  }
  if (arePlain(terms)) makeRoom(sums, terms);
  const { visitors, hits } = arePlain(terms) ? sums : clearCounts(terms.length);
  dayCounts = { visitors, hits, latest, before: earlier };
  earlier += visits;
  return dayCounts;
}

function clearCounts(codes: number): DistinctSums {
  if (codes > ofCodes.hits.length) ofCodes = emptySums(2 * codes);
  for (const counts of Object.values(ofCodes)) counts.fill(0, 0, codes);
  return ofCodes;
}

function addDayCounts(sums: DistinctSums, terms: ArrayLike<number>): void {
  if (arePlain(terms)) return;
  makeRoom(sums, terms);
  const { visitors, hits } = sums;
  for (let code = 0; code < terms.length; code++) {
    const term = terms[code] as number;
    visitors[term] = (visitors[term] as number) + (dayCounts.visitors[code] as number);
    hits[term] = (hits[term] as number) + (dayCounts.hits[code] as number);
  }
}

/**
 * True if an earlier selected visit of the visitor has the same value. The loop is short, because a visitor has few
 * visits a day.
 */
function isRepeated({ visits }: Selection, place: number, codes: Numbers, again: Numbers): boolean {
  const visit = visits[place] as number;
  const first = findFirstVisit(again, visit);
  for (let i = place - 1; i >= 0 && (visits[i] as number) >= first; i--) {
    if (codes[visits[i] as number] === codes[visit]) return true;
  }
  return false;
}

/**
 * Counts hits and visitors by value, for a short list of hits (`listFew`). The list has the type of a selection, but
 * its `visits` are indexes of hits. Only these hits are read. Hits that fail a match are left out.
 */
function tallyFew(
  day: Day,
  codes: Numbers,
  { visits: few, count }: Selection,
  [first, second]: readonly Match[],
): void {
  const { visitors, hits, latest, before } = dayCounts;
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
    if ((latest[code] as number) > before + firstVisit) continue;
    latest[code] = before + visit + 1;
    visitors[code] = (visitors[code] as number) + 1;
  }
}

/**
 * Lists the hits that pass a rare match. A match is rare if fewer than one hit in 32 passes. Returns undefined if no
 * match is rare. Also returns undefined if not all visits are selected, because the list could contain hits of other
 * visits.
 */
function listFew(day: Day, { count }: Selection, matches: readonly Match[]): Selection | undefined {
  if (count < day.totals.visits) return undefined;
  for (const match of matches) {
    const rare = listRareRows(match, sharedBuffer('rareHits', mostRare(match.codes.length)));
    if (rare) return rare;
  }
  return undefined;
}

/**
 * Finds the owner of each hit. Visitors are numbered 1, 2, 3 and so on. An owner is twice the visitor's number, plus 1
 * if the visit is selected. For example, a hit of visitor 3 has the owner 6 or 7. Returns, for each hit, its owner
 * minus the owner of the previous hit. A loop over all hits can then add up these differences to know each owner.
 */
function stepOwners(day: Day, { visits, count }: Selection, hits: number): Uint32Array {
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

/**
 * Counts hits and visitors by value in one loop over all hits. This is fastest if most visits are selected. A short
 * loop for each visit would take twice as long. The processor often predicts the end of a short loop wrong.
 */
function tallyMost(day: Day, codes: Numbers, selection: Selection, matches: readonly Match[]): void {
  const { visitors, hits, latest, before } = dayCounts;
  const [first, second] = pairMatches(matches, codes.length);
  const steps = stepOwners(day, selection, codes.length);
  let owner = 2 * before;
  // An `if` in this loop would be slower, because the processor would often predict the wrong branch.
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

/**
 * Counts hits and visitors by value, with a short loop for each selected visit. This is fastest if at most half of the
 * visits are selected, because all other visits are never read.
 */
function tallyMany(day: Day, codes: Numbers, { visits, count }: Selection, matches: readonly Match[]): void {
  const { visitors, hits, latest, before } = dayCounts;
  const [first, second] = pairMatches(matches, codes.length);
  const again = day.column('again').codes;
  const starts = findStarts(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const firstVisit = before + findFirstVisit(again, visit);
    const end = starts[visit + 1] as number;
    // An `if` in this loop would be slower, because the processor would often predict the wrong branch.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      const code = codes[hit] as number;
      hits[code] = (hits[code] as number) + isCounted;
      const last = latest[code] as number;
      const isNew = isCounted & ((last - firstVisit - 1) >>> 31);
      latest[code] = last + ((before + visit + 1 - last) & -isNew);
      visitors[code] = (visitors[code] as number) + isNew;
    }
  }
}
