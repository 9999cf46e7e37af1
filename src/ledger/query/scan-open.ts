// Counts an open day for a query. The counts of each shard stay in memory. If an equal query comes later, these counts
// are used again.
//
// Invariant: the result equals the counts of all visits of the day. It is computed from the kept counts. For visitors
// with new hits, their visits before these hits (`lost`) are subtracted, and their present visits (`found`) are added.
//
// Example: a shard of 25,000 visits was counted, and 20 hits have arrived since then. The visitors of these hits had 12
// visits before, and now have 20 visits. The kept counts are used again. Only the 12 old visits are scanned and
// subtracted, and the 20 present visits are scanned and added. measure.ts calls `scanOpen`. from-sums.ts calls
// `negateSums`.

import { findChanges, type OpenDay } from '../open/open-day.ts';
import { type DayPartial, type Known, type ScanWork, scan } from './scan.ts';
import { countTableNumbers, negateTable } from './table-count.ts';

const NOTHING: Known = { totals: false, counts: {} };

/**
 * Counts an open day from the kept counts of its shards. For visitors with new hits, their visits before these hits
 * (`lost`) are subtracted. Their present visits (`found`) are added.
 */
export function scanOpen(large: OpenDay, work: ScanWork, checkpoint: () => void): DayPartial[] {
  const { lost, found } = findChanges(large);
  const counted = countShards(large, work, checkpoint);
  forgetOld(large);
  const changed = found.length === 0 ? [] : [negateCounts(scan(lost, work, NOTHING)), scan(found, work, NOTHING)];
  return [...counted, ...changed];
}

export const negateSums = <Sums extends Record<string, number>>(sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, -sum])) as Sums;

/** Changes the sign of all counts. Adding the result then means subtracting the original counts. */
function negateCounts({
  totals,
  times,
  revenue,
  counts,
  reached,
  steps,
  earned,
  hours,
  vitals,
  journeys,
  table,
  excluded,
}: DayPartial): DayPartial {
  const less = (list: ArrayLike<number>): number[] => Array.from(list, (count) => -count);
  const named = Object.entries(counts).map(([name, { terms, visitors, hits, more = {} }]) => [
    name,
    {
      terms,
      visitors: less(visitors),
      hits: less(hits),
      more: Object.fromEntries(Object.entries(more).map(([sum, list]) => [sum, less(list)])),
    },
  ]);
  return {
    totals: totals.map(negateSums),
    times: times.map(negateSums),
    revenue: revenue.map(negateSums),
    counts: Object.fromEntries(named),
    reached: reached.map(negateSums),
    steps: less(steps),
    earned: less(earned),
    hours: hours.map((one) => ({
      ...one,
      visitors: less(one.visitors),
      arrivals: less(one.arrivals),
      pageviews: less(one.pageviews),
    })),
    vitals: { keys: vitals.keys, counts: less(vitals.counts) },
    journeys: { keys: journeys.keys, counts: less(journeys.counts) },
    ...(table && { table: negateTable(table) }),
    leftOut: [],
    excluded: negateSums(excluded as Record<number, number>),
    untouched: [],
  };
}

/**
 * Limits of the counts that an open day keeps for later queries (see `countShards`). All queries of a day together keep
 * at most 3,000,000 numbers, and at most 16 numbers for each visit. Beyond these limits, the counts of the queries that
 * were asked longest ago are deleted.
 */
const MAX_KEPT = 3_000_000;
const PER_VISIT = 16;
/**
 * `estimateSize` adds this to the number of counts of a query in a shard, because even few counts take some memory.
 * Otherwise, the counts of thousands of queries could be kept, and would take too much memory.
 */
const LEAST = 2_000;

function estimateSize({ counts, vitals, journeys, table }: DayPartial): number {
  const lists = Object.values(counts).map(({ terms, more = {} }) => terms.length * (3 + Object.keys(more).length));
  const others = 2 * (vitals.keys.length + journeys.keys.length) + (table ? countTableNumbers(table) : 0);
  return lists.reduce((sum, size) => sum + size, LEAST + others);
}

/**
 * Counts each shard of an open day without its delta. `answers` keeps the counts for later queries. If this query is
 * stopped, the counts of finished shards are kept, so the next attempt is faster.
 */
function countShards({ day, shards, answers }: OpenDay, work: ScanWork, checkpoint: () => void): DayPartial[] {
  const key = JSON.stringify([work.reducer.nameExclusions(day), work.query]);
  const known = answers.get(key) ?? new Map<number, unknown>();
  answers.delete(key);
  answers.set(key, known);
  const counted = shards.map(({ id, delta }) => {
    checkpoint();
    const partial = (known.get(id) as DayPartial | undefined) ?? scan([delta.base], work);
    known.set(id, partial);
    return partial;
  });
  const ids = new Set(shards.map(({ id }) => id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  return counted;
}

/**
 * Deletes the counts of the queries that were asked longest ago, to limit the memory. Test:
 * test/ledger/open/open-day.test.ts.
 */
function forgetOld({ shards, answers }: OpenDay): void {
  const visits = shards.reduce((sum, { delta }) => sum + delta.base.totals.visits, 0);
  let kept = 0;
  for (const [key, known] of [...answers].reverse()) {
    for (const partial of known.values()) kept += estimateSize(partial as DayPartial);
    if (kept > Math.min(MAX_KEPT, visits * PER_VISIT)) answers.delete(key);
  }
}
