// Which visits of a base and of what was added follow each other, by visitor and time: a list of runs, each five numbers.
// Invariant: the runs in order give each kept visit of the base and each added visit once, ascending by visitor.
//
// Example: of a base of six visits number 3 is taken, and one visit of the same visitor is added. The runs are base 0 to 3, added 0 to 1,
// base 4 to 6. A column is put together by three copies; 25,000 visits with 20 added are at most 41 runs, or 820 bytes.
// Called by delta.ts; merge-columns.ts copies columns by the runs.
import type { Column } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import type { Marks } from '../day/bitset.ts';
import { findStartsIn, type Shard, seekVisitor } from '../day/shard.ts';

/**
 * Runs of visits and their hits, of the base or of what is added, each as five numbers. There are as many as visits that came, so
 * that objects would cost more than all else.
 */
export type Runs = Uint32Array;
const [IS_ADDED, FROM, TO, FIRST_HIT, END_HIT] = [0, 1, 2, 3, 4];
const SIZE = 5;

/** Where a run has its rows: of visits, or of hits. */
export const VISITS = [FROM, TO] as const;
export const HITS = [FIRST_HIT, END_HIT] as const;
type Ends = readonly [from: number, end: number];

/** Some visits of a part: where those begin that follow each other, at or after a place, and where these end. */
export type Some = { from(at: number): number; to(from: number): number };

export const allBut = (taken: Marks): Some => ({
  from: (at) => taken.next(false, at),
  to: (from) => taken.next(true, from),
});

/** The visits that are marked, without those that are taken. Few are marked. */
export const among = (marked: Marks, taken?: Marks): Some => ({
  from(at) {
    let from = marked.next(true, at);
    while (from < marked.size && taken?.has(from)) from = marked.next(true, from + 1);
    return from;
  },
  to: (from) => Math.min(marked.next(false, from), taken?.next(true, from) ?? marked.size),
});

/** Appends runs, and joins those that follow each other. */
function runList() {
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

/** The runs of some visits of the base and of all that are added, by visitor and time. `endsBefore` compares one of the base. */
export function runsOf(
  base: Shard,
  some: Some,
  added: Shard,
  endsBefore: (visit: number, end: number) => boolean,
): Runs {
  const [codes, addedCodes] = [base.codes(), added.codes()];
  const second = added.column('second').codes;
  const seconds = added.column('seconds');
  const [startsHere, startsThere] = [findStartsIn(base), findStartsIn(added)];
  const runs = runList();
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
  /** The end of the visitor's visits in the base. */
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
    // What is added comes after nearly all of them.
    let before = after;
    while (before > place && !endsBefore(before - 1, end)) before--;
    place = before;
    keepUntil(place);
    runs.put(1, visit, visit + 1, startsThere);
  }
  keepUntil(codes.length);
  return runs.all();
}

/** Copying a few numbers by themselves takes less time than telling where they are. */
const FEW = 24;

/**
 * Puts runs of two lists together; a map gives the number for each that is found. There is a run for each visit that came, for which
 * nothing is allocated here: it was a third of the garbage of a report.
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

/** Whether any of the runs is of the base. */
export function areOfBase(runs: Runs): boolean {
  for (let run = 0; run < runs.length; run += SIZE) if (runs[run + IS_ADDED] === 0) return true;
  return false;
}

/** How many rows the runs have. */
export function rowsIn(runs: Runs, [from, end]: Ends): number {
  let rows = 0;
  for (let run = 0; run < runs.length; run += SIZE) rows += (runs[run + end] as number) - (runs[run + from] as number);
  return rows;
}

export function splicedCodes(runs: Runs, base: Float64Array, added: Float64Array): Float64Array {
  const codes = new Float64Array(rowsIn(runs, VISITS));
  let at = 0;
  for (let run = 0; run < runs.length; run += SIZE) {
    const own = runs[run + IS_ADDED] === 1 ? added : base;
    const [from, to] = [runs[run + FROM] as number, runs[run + TO] as number];
    codes.set(own.subarray(from, to), at);
    at += to - from;
  }
  return codes;
}

/** Whether the visit before is by the same visitor changes only where one run ends and another begins. */
export function joined({ terms, codes }: Column, runs: Runs, base: Float64Array, added: Float64Array): Column {
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
