import type { Breakdown } from '../stats/dimensions.ts';
import type { SumName } from '../stats/metrics.ts';
import { type Count, countOf } from './breakdowns.ts';
import type { Rollup } from './rollups.ts';
import { emptySums, makeRoom, type Sums } from './tally.ts';

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

/** A count with more sums by term, which the figures of rows need. */
export type RowCount = Count & { more?: Partial<Record<SumName, ArrayLike<number>>> };

export function mergeCounts(breakdown: Breakdown, counts: readonly RowCount[]): RowCount {
  const sums = newSums();
  for (const count of counts) addCount(sums, count);
  const merged = countOf(sums, breakdown);
  return { ...merged, more: mergeMore(counts, merged.terms) };
}

/** Adds up by term what is counted beside visitors. */
function mergeMore(counts: readonly RowCount[], allTerms: ArrayLike<number>): Required<RowCount>['more'] {
  const names = new Set(counts.flatMap(({ more = {} }) => Object.keys(more) as SumName[]));
  const sumsOf = (name: SumName): number[] => {
    const sums = new Map<number, number>();
    for (const { terms, more } of counts) {
      for (let i = 0; i < terms.length; i++) {
        const term = terms[i] as number;
        sums.set(term, (sums.get(term) ?? 0) + (more?.[name]?.[i] ?? 0));
      }
    }
    return Array.from(allTerms, (term) => sums.get(term) ?? 0);
  };
  return Object.fromEntries([...names].map((name) => [name, sumsOf(name)]));
}

/** The labels of one event, out of a rollup with the labels of all events. */
export function labelsOf({ events, terms, visitors, hits }: Rollup, event: number): Count {
  const own = Array.from(events, (_, i) => i).filter((i) => events[i] === event);
  const pick = (list: ArrayLike<number>) => own.map((i) => list[i] ?? 0);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits) };
}
