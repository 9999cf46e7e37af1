// Adds up the counts of several days, shards or threads by term: visitors, hits, and row figures such as bounces.
//
// Invariant: the result has each term once, and its terms are ascending.
//
// Example: the terms [3, 7] have the visitors [10, 2], and the terms [7, 9] have the visitors [5, 1]. Together, the
// terms [3, 7, 9] have the visitors [10, 7, 1]. Queries, the month rollups and the channels of totals-only days use
// this file.
import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import { listCounts, type TermCounts } from './breakdown.ts';
import { type DistinctSums, emptySums, makeRoom } from './distinct.ts';

/** The first length of arrays whose index is a term. Larger terms make the arrays longer. */
const FIRST_SIZE = 1024;

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

/** The row figures of a breakdown. For example, `bounces` has the bounces of each row. */
export type MoreSums = Partial<Record<SumName, ArrayLike<number>>>;

export type RowCount = TermCounts & { more?: MoreSums };

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
    /** `terms` must be ascending, because the last entry is used as the largest. */
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
