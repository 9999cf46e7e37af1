import type { Breakdown } from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import { type Count, listCounts } from './breakdown.ts';
import { emptySums, makeRoom, type Sums } from './distinct.ts';

/** The buffers of counts grow with the largest term, from this size on. */
const FIRST_SIZE = 1024;

export const newSums = (): Sums => emptySums(FIRST_SIZE);

export function addCount(sums: Sums, { terms, visitors, hits }: Count): void {
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

/** Sums of rows beside their visitors, a list for each in the order of the rows. */
export type MoreSums = Partial<Record<SumName, ArrayLike<number>>>;

/** A count with more sums by term, which the figures of rows need. */
export type RowCount = Count & { more?: MoreSums };

/** A number for each of some numbers. A loop takes less than half the time of Array.from. */
export function listOf(terms: ArrayLike<number>, numberOf: (term: number, i: number) => number): Float64Array {
  const numbers = new Float64Array(terms.length);
  for (let i = 0; i < terms.length; i++) numbers[i] = numberOf(terms[i] as number, i);
  return numbers;
}

function addList(sum: Float64Array, terms: ArrayLike<number>, list: ArrayLike<number>): void {
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    sum[term] = (sum[term] as number) + (list[i] as number);
  }
}

/** Adds up by term what is counted beside visitors. */
export function moreSums() {
  const sums = new Map<SumName, Float64Array>();
  function sumFor(name: SumName, largest: number): Float64Array {
    const before = sums.get(name);
    if (before && largest < before.length) return before;
    const larger = new Float64Array(2 ** Math.ceil(Math.log2(largest + 1)));
    larger.set(before ?? []);
    sums.set(name, larger);
    return larger;
  }
  return {
    /** The terms are ascending. */
    add({ terms, more = {} }: RowCount): void {
      const largest = Math.max(terms[terms.length - 1] ?? 0, FIRST_SIZE);
      for (const [name, list] of Object.entries(more) as [SumName, ArrayLike<number>][]) {
        addList(sumFor(name, largest), terms, list);
      }
    },
    of: (terms: ArrayLike<number>): MoreSums =>
      Object.fromEntries([...sums].map(([name, sum]) => [name, listOf(terms, (term) => sum[term] ?? 0)])),
  };
}

export function mergeCounts(breakdown: Breakdown, counts: readonly RowCount[]): RowCount {
  const sums = newSums();
  const more = moreSums();
  for (const count of counts) {
    addCount(sums, count);
    more.add(count);
  }
  const merged = listCounts(sums, breakdown);
  return { ...merged, more: more.of(merged.terms) };
}
