// Counts of several days, shards or threads are merged by term: visitors, hits, and further sums of rows.
// Invariant: a term is in the merged count once, and terms ascend.
//
// Example: terms [3, 7] with visitors [10, 2] and terms [7, 9] with visitors [5, 1] merge to terms [3, 7, 9] with visitors [10, 7, 1].
//
// query/merge.ts, query/from-sums.ts and sealed/month.ts call `mergeCounts` or its parts.
import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import { listCounts, type TermCounts } from './breakdown.ts';
import { type DistinctSums, emptySums, makeRoom } from './distinct.ts';

/** The buffers of counts begin with this size and grow with the largest term. */
const FIRST_SIZE = 1024;

/** Merges counts of a breakdown. */
export function mergeCounts(breakdown: Breakdown, counts: readonly RowCount[]): RowCount {
  const sums = makeSums();
  const more = makeMoreSums();
  for (const count of counts) {
    addCount(sums, count);
    more.add(count);
  }
  const merged = listCounts(sums, breakdown);
  return { ...merged, more: more.of(merged.terms) };
}

export const makeSums = (): DistinctSums => emptySums(FIRST_SIZE);

export function addCount(sums: DistinctSums, { terms, visitors, hits }: TermCounts): void {
  makeRoom(sums, terms);
  const { visitors: allVisitors, hits: allHits } = sums;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    allVisitors[term] = (allVisitors[term] as number) + (visitors[i] as number);
  }
  for (let i = 0; i < hits.length; i++) {
    const term = terms[i] as number;
    allHits[term] = (allHits[term] as number) + (hits[i] as number);
  }
}

/** Sums of rows beside visitors and hits: a list for each, in the order of the rows. */
export type MoreSums = Partial<Record<SumName, ArrayLike<number>>>;

/** Counts by term with the sums that row figures need. */
export type RowCount = TermCounts & { more?: MoreSums };

/** Gives a number for each entry of a list. A loop takes less than half the time of `Array.from`. */
export function mapNumbers(terms: ArrayLike<number>, convert: (term: number, i: number) => number): Float64Array {
  const numbers = new Float64Array(terms.length);
  for (let i = 0; i < terms.length; i++) numbers[i] = convert(terms[i] as number, i);
  return numbers;
}

function addList(sum: Float64Array, terms: ArrayLike<number>, list: ArrayLike<number>): void {
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    sum[term] = (sum[term] as number) + (list[i] as number);
  }
}

/** Makes what adds up further sums by term. */
export function makeMoreSums() {
  const sums = new Map<SumName, Float64Array>();
  function growSum(name: SumName, largest: number): Float64Array {
    const before = sums.get(name);
    if (before && largest < before.length) return before;
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(largest + 1)));
    larger.set(before ?? []);
    sums.set(name, larger);
    return larger;
  }
  return {
    /** Terms must ascend. */
    add({ terms, more = {} }: RowCount): void {
      const largest = Math.max(terms[terms.length - 1] ?? 0, FIRST_SIZE);
      for (const [name, list] of Object.entries(more) as [SumName, ArrayLike<number>][]) {
        addList(growSum(name, largest), terms, list);
      }
    },
    of: (terms: ArrayLike<number>): MoreSums =>
      Object.fromEntries([...sums].map(([name, sum]) => [name, mapNumbers(terms, (term) => sum[term] ?? 0)])),
  };
}
