// A merge plan puts the visits of two sources into one order, by visitor and time. One source is the base, a shard as
// it was stored: some visitors of a day with all their hits. The other source has the visits that were added later. The
// plan is a list of runs. A run is some neighbouring visits of one source, stored as five numbers.
// Invariant: the runs have each visit of the base that stays once, and each added visit once. The visitor codes ascend.
//
// Example: a base has the visits 0 to 5. Visit 3 is taken out, and one visit of the same visitor is added. The plan has
// three runs: base visits 0, 1 and 2; the added visit; base visits 4 and 5. So a column is put together with three
// copies. With 25,000 visits and 20 added ones, there are at most 41 runs of 20 bytes.
// delta.ts makes the plans. merge-columns.ts copies columns by the runs.
import type { Column } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import type { Marks } from '../day/bitset.ts';
import { findStartsIn, type Shard, seekVisitor } from '../day/shard.ts';

/**
 * A run is some neighbouring visits, stored as five numbers, which the constants below name. There may be a run for
 * each new visit. With an object for each run, creating objects would cost more than all other work.
 */
export type Runs = Uint32Array;
const [IS_ADDED, FROM, TO, FIRST_HIT, END_HIT] = [0, 1, 2, 3, 4];
const SIZE = 5;

/**
 * Each constant names two of the five numbers of a run (neighbouring visits): its first row, and the row after its last
 * row. `VISITS` is for columns with a row for each visit, `HITS` for columns with a row for each hit.
 */
export const VISITS = [FROM, TO] as const;
export const HITS = [FIRST_HIT, END_HIT] as const;
type Ends = readonly [from: number, end: number];

/**
 * Says which visits of a shard stay in a merge, as stretches of neighbouring visits. `from` returns the start of the
 * next stretch at or after visit `at`. `to` returns the end of the stretch that starts at visit `from`.
 */
export type Some = { from(at: number): number; to(from: number): number };

/**
 * Plans a merge of two lists of visits, by visitor and time. Of `base`, only the visits that `some` names stay. Of
 * `added`, all visits stay. An added visit comes after the visits of its visitor in `base` that ended before its own
 * `end`. `endsBefore` says this for one visit of `base`. The result is a list of runs, neighbouring visits of one
 * source, which can be copied together.
 */
export function planRuns(
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
    // A visit of `added` is nearly always later than the same visitor's visits in `base`. So the search for its place
    // begins at the visitor's last visit in `base`.
    let before = after;
    while (before > place && !endsBefore(before - 1, end)) before--;
    place = before;
    keepUntil(place);
    runs.put(1, visit, visit + 1, startsThere);
  }
  keepUntil(codes.length);
  return runs.all();
}

export const keepUnmarked = (taken: Marks): Some => ({
  from: (at) => taken.next(false, at),
  to: (from) => taken.next(true, from),
});

export const keepMarked = (marked: Marks, taken?: Marks): Some => ({
  from(at) {
    let from = marked.next(true, at);
    while (from < marked.size && taken?.has(from)) from = marked.next(true, from + 1);
    return from;
  },
  to: (from) => Math.min(marked.next(false, from), taken?.next(true, from) ?? marked.size),
});

/**
 * Makes an empty list of runs. A run is some neighbouring visits of one source. If a run starts where the last run of
 * the same source ends, `put` makes the last run longer. Fewer runs are copied faster.
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

/** Up to this number of rows, copying in a loop is faster than a call of `set` on the array. */
const FEW = 24;

/**
 * Copies the rows of all runs (neighbouring visits of `base` or `added`) into `to`. `baseMap` has the new code for each
 * code of `base`, `addedMap` for each of `added`. Without a map, codes stay the same. The loop creates no objects,
 * because objects were once a third of a report's garbage.
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
 * Corrects the column `again`, which is 1 if the visit before is by the same visitor. A run is some neighbouring visits
 * of one source, `base` or `added`. Inside a run, all visits keep their neighbours. So only the value of each run's
 * first visit is computed anew.
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
