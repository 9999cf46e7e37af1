// Decides for each sealed day of a query whether its visits or its rollups are read. A rollup has the sums of one
// breakdown on one day, such as the visitors of each page. A totals-only day has only rollups.
//
// Invariant: each sealed day of the ranges is scanned (read visit by visit), summed (read from its rollups) or left
// out.
//
// Example: a query asks for the pages of a week without filters. Six days are summed. On the seventh day an exclusion
// leaves out visits, so this day is scanned. measure.ts calls `groupDays`.
import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import { isStillReduced, type ReducedDay } from '../../catalog/reduced-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { addExcluded, type ExcludedVisits } from '../../stats/aggregates.ts';
import { BREAKDOWNS, type Breakdown, findVersion } from '../../stats/dimensions.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import { isFromSums, isFromTotalsOnly, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/**
 * What the database file says about some days of a site: sealed days, imports and exclusions. `reduced` has totals
 * without excluded visits, but only for totals-only days. Its keys are ids of slices.
 */
export type KnownDays = {
  shown: Shown;
  exclusions: readonly Exclusion[];
  reduced: ReadonlyMap<number, ReducedDay>;
};

/** A sealed day that is read from rollups. If `isReduced` is true, the rollups without its excluded visits are read. */
export type SummedSlice = Slice & { isReduced?: boolean };

/**
 * `scanned`: sealed days that are read visit by visit. `summed`: sealed days that are read from rollups. `leftOut`:
 * totals-only days that cannot answer the query, for example because the query has filters. `untouched`: totals-only
 * days that an exclusion cannot change. `excluded`: the visits that exclusions leave out of the summed days.
 */
export type DayGroups = {
  scanned: Slice[];
  summed: SummedSlice[];
  leftOut: number[];
  untouched: number[];
  excluded: ExcludedVisits;
};

/**
 * A rollup of the cluster has only the visitors and hits for each value of a breakdown. The time on pages, the revenue
 * and other row figures are counted from visits. Only totals-only days have rollups of revenue.
 */
const KEPT: KeptSums = { spans: false, hasRowSums: (_, names) => names.length === 0 };

/**
 * True if a day has the rollup of a breakdown. A day that an older daybook sealed lacks rollups of newer dimensions.
 */
export const hasRollup = (breakdown: Breakdown, { format }: Pick<Slice, 'format'>): boolean =>
  findVersion(BREAKDOWNS[breakdown]) <= format;

/** Decides for each sealed day whether its visits or its rollups are read. Reading rollups is faster. */
export function groupDays(query: Query, known: KnownDays): DayGroups {
  const { slices } = known.shown;
  const ranges = isAboutNow(query) ? [query.range] : listRanges(query);
  const own = slices.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));
  const sums = own.filter(({ hasHits }) => hasHits === 0);
  const hits = own.filter(({ hasHits }) => hasHits === 1);
  const none = { scanned: hits, summed: [], leftOut: [], untouched: [], excluded: {} };
  if (isAboutNow(query)) return none;
  if (isFromTotalsOnly(query)) return { ...none, ...reduceSums(sums, known) };
  if (!isFromSums(query, KEPT)) return { ...none, leftOut: listDays(sums) };
  const isScanned = (slice: Slice) =>
    known.exclusions.some((one) => isAbout(one, slice.day)) ||
    (query.report === 'breakdown' && !hasRollup(query.breakdown, slice));
  const reduced = reduceSums(sums, known);
  return {
    ...reduced,
    scanned: hits.filter(isScanned),
    summed: [...hits.filter((slice) => !isScanned(slice)), ...reduced.summed],
    leftOut: [],
  };
}

const listDays = (some: readonly Slice[]) => [...new Set(some.map(({ day }) => day))];

/**
 * Leaves excluded visits out of totals-only days. A totals-only day has no visits any more, but it may have sums
 * without its excluded visits. These sums were made before the visits were deleted, so an exclusion that was added
 * later cannot be applied.
 */
function reduceSums(sums: readonly Slice[], { exclusions, reduced }: KnownDays) {
  const untouched: Slice[] = [];
  const excluded: ExcludedVisits = {};
  const summed = sums.map((slice): SummedSlice => {
    const key = listIdsOn(exclusions, slice.day);
    const own = reduced.get(slice.id);
    if (key !== '' && own?.exclusions !== key) untouched.push(slice);
    if (!own || !isStillReduced(own, key) || own.excluded[0] === undefined) return slice;
    addExcluded(excluded, own.excluded);
    return { ...slice, ...own.totals, isReduced: true };
  });
  return { summed, untouched: listDays(untouched), excluded };
}
