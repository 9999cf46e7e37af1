// Merges the visits of a base and the added visits into one order, by visitor and time. The order is a list of runs. A
// run consists of neighbouring visits: either only visits of the base, or only added visits.
//
// Invariant: each visit that stays is in exactly one run. The visitor codes are ascending.
//
// Example: a base has the visits 0 to 5. A new hit extends visit 3, so visit 3 is left out, and its longer form is an
// added visit. There are three runs: the base visits 0 to 2, the added visit, and the base visits 4 and 5. A column is
// then built by copying three ranges. touched-visits.ts calls `orderRuns`, and merge-columns.ts copies columns by the
// runs.
import type { Column, Numbers } from '../column/packing.ts';
import { findStartsIn, type Shard, seekVisitor } from '../day/shard.ts';
import type { VisitSet } from '../day/visit-set.ts';

/**
 * A list of runs. A run is stored as five numbers, which the constants `IS_ADDED` to `END_HIT` name. With an object for
 * each run, creating objects would take longer than all other work.
 */
export type Runs = Uint32Array;
const [IS_ADDED, FROM, TO, FIRST_HIT, END_HIT] = [0, 1, 2, 3, 4];
const SIZE = 5;

/**
 * Which two numbers of a run say where its values begin and end in a column. `VISITS` is for columns with one value for
 * each visit, and `HITS` is for columns with one value for each hit.
 */
export const VISITS = [FROM, TO] as const;
export const HITS = [FIRST_HIT, END_HIT] as const;
type Ends = readonly [from: number, end: number];

/**
 * The visits of a base that a merge keeps, as ranges of neighbouring visits. `from` returns where the next range
 * begins, at visit `at` or later. `to` returns where this range ends.
 */
export type Some = { from(at: number): number; to(from: number): number };

/**
 * Brings two lists of visits into one order: those visits of `base` that `some` keeps, and all visits of `added`. A
 * visitor may have visits in both lists. These visits are sorted by their ends, which `endsBefore` compares.
 */
export function orderRuns(
  base: Shard,
  some: Some,
  added: Shard,
  endsBefore: (visit: number, end: number) => boolean,
): Runs {
  const [codes, addedCodes] = [base.codes(), added.codes()];
  const second = added.column('second').codes;
  const seconds = added.column('seconds');
  const [startsHere, startsThere] = [findStartsIn(base), findStartsIn(added)];
  const runs = makeRunList();
  let from = some.from(0);
  let to = some.to(from);
  function keepUntil(end: number): void {
    while (from < end) {
      runs.put(0, from, Math.min(to, end), startsHere);
      from = to > end ? end : some.from(to);
      if (to <= end) to = some.to(from);
    }
  }
  let place = 0;
  /** The index after the last visit of the current visitor in `base`. */
  let after = 0;
  for (let visit = 0; visit < addedCodes.length; visit++) {
    const code = addedCodes[visit] as number;
    if (code !== addedCodes[visit - 1]) {
      place = seekVisitor(codes, code, after);
      after = place;
      while (codes[after] === code) after++;
    }
    const start = second[startsThere(visit)] as number;
    const end = start + (seconds.terms[seconds.codes[visit] as number] as number);
    // An added visit is nearly always later than its visitor's visits in `base`. So the search begins at the last of
    // these visits.
    let before = after;
    while (before > place && !endsBefore(before - 1, end)) before--;
    place = before;
    keepUntil(place);
    runs.put(1, visit, visit + 1, startsThere);
  }
  keepUntil(codes.length);
  return runs.all();
}

export const keepOthers = (taken: VisitSet): Some => ({
  from: (at) => taken.next(false, at),
  to: (from) => taken.next(true, from),
});

export const keepSome = (wanted: VisitSet, taken?: VisitSet): Some => ({
  from(at) {
    let from = wanted.next(true, at);
    while (from < wanted.size && taken?.has(from)) from = wanted.next(true, from + 1);
    return from;
  },
  to: (from) => Math.min(wanted.next(false, from), taken?.next(true, from) ?? wanted.size),
});

/**
 * Collects the runs of a merge. If a run begins where the previous run ends, `put` makes the previous run longer.
 * Copying one long run is faster than copying two.
 */
function makeRunList() {
  let runs = new Uint32Array(64 * SIZE);
  let end = 0;
  return {
    put(isAdded: 0 | 1, from: number, to: number, starts: (visit: number) => number): void {
      const last = end - SIZE;
      if (end > 0 && runs[last + IS_ADDED] === isAdded && runs[last + TO] === from) {
        runs[last + TO] = to;
        runs[last + END_HIT] = starts(to);
        return;
      }
      if (end === runs.length) {
        const larger = new Uint32Array(2 * end);
        larger.set(runs);
        runs = larger;
      }
      runs[end + IS_ADDED] = isAdded;
      runs[end + FROM] = from;
      runs[end + TO] = to;
      runs[end + FIRST_HIT] = starts(from);
      runs[end + END_HIT] = starts(to);
      end += SIZE;
    },
    all: (): Runs => runs.slice(0, end),
  };
}

/** For a run of at most this many values, a loop is faster than the array's method `set`. */
const FEW = 24;

/**
 * Copies the values of all runs into the list `to`, in the order of the runs. `baseMap` has the new code for each code
 * of `base`. `addedMap` has the new code for each code of `added`. Without a map, codes stay unchanged.
 */
export function copyRuns(
  to: Numbers,
  runs: Runs,
  [from, end]: Ends,
  [base, added]: readonly [Numbers, Numbers],
  [baseMap, addedMap]: readonly [Uint32Array | undefined, Uint32Array | undefined],
): void {
  let at = 0;
  for (let run = 0; run < runs.length; run += SIZE) {
    const isAdded = runs[run + IS_ADDED] === 1;
    const own = isAdded ? added : base;
    const map = isAdded ? addedMap : baseMap;
    const first = runs[run + from] as number;
    const last = runs[run + end] as number;
    const shift = at - first;
    if (map) for (let i = first; i < last; i++) to[i + shift] = map[own[i] as number] as number;
    else if (last - first > FEW) to.set(own.subarray(first, last), at);
    else for (let i = first; i < last; i++) to[i + shift] = own[i] as number;
    at += last - first;
  }
}

export function usesBase(runs: Runs): boolean {
  for (let run = 0; run < runs.length; run += SIZE) if (runs[run + IS_ADDED] === 0) return true;
  return false;
}

export function countRunRows(runs: Runs, [from, end]: Ends): number {
  let rows = 0;
  for (let run = 0; run < runs.length; run += SIZE) rows += (runs[run + end] as number) - (runs[run + from] as number);
  return rows;
}

export function spliceCodes(runs: Runs, base: Float64Array, added: Float64Array): Float64Array {
  const codes = new Float64Array(countRunRows(runs, VISITS));
  let at = 0;
  for (let run = 0; run < runs.length; run += SIZE) {
    const own = runs[run + IS_ADDED] === 1 ? added : base;
    const [from, to] = [runs[run + FROM] as number, runs[run + TO] as number];
    codes.set(own.subarray(from, to), at);
    at += to - from;
  }
  return codes;
}

/**
 * Corrects the column `again`, which is 1 if the previous visit is by the same visitor. Inside a run, all visits keep
 * their neighbours, so only the first visit of each run gets a new value.
 */
export function correctAgain({ terms, codes }: Column, runs: Runs, base: Float64Array, added: Float64Array): Column {
  let at = 0;
  let last = -1;
  for (let run = 0; run < runs.length; run += SIZE) {
    const own = runs[run + IS_ADDED] === 1 ? added : base;
    const [from, to] = [runs[run + FROM] as number, runs[run + TO] as number];
    codes[at] = own[from] === last ? 1 : 0;
    last = own[to - 1] as number;
    at += to - from;
  }
  return { terms, codes };
}
