import { isAbout } from '../../catalog/exclusion-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { BREAKDOWNS, type Breakdown, findVersion } from '../../stats/dimensions.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import { isFromSums, isFromTotalsOnly, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/** What the database file says about some days of a site: sealed days, imports and exclusions. */
export type KnownDays = { shown: Shown; exclusions: readonly Exclusion[] };

/**
 * `scanned`: sealed days that are read visit by visit. `summed`: sealed days that are read from rollups. `leftOut`:
 * totals-only days that cannot answer the query, for example because it has filters. `untouched`: totals-only days that
 * an exclusion cannot change.
 */
export type DayGroups = { scanned: Slice[]; summed: Slice[]; leftOut: number[]; untouched: number[] };

/**
 * Rollups of the cluster contain visitors and hits for each value of a breakdown. Rollups have no times on pages, no
 * revenue and no other row figures. A query for these must read visits.
 */
const KEPT: KeptSums = { spans: false, hasRowSums: (_, names) => names.length === 0 };

/** True if a day has the rollup of a breakdown. A day that an older daybook sealed lacks those of newer dimensions. */
export const hasRollup = (breakdown: Breakdown, { format }: Pick<Slice, 'format'>): boolean =>
  findVersion(BREAKDOWNS[breakdown]) <= format;

/** Decides for each sealed day whether its visits or its rollups are read. Reading rollups is faster. */
export function groupDays(query: Query, { shown: { slices }, exclusions }: KnownDays): DayGroups {
  const ranges = isAboutNow(query) ? [query.range] : listRanges(query);
  const own = slices.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));
  const isTouched = ({ day }: Slice) => exclusions.some((one) => isAbout(one, day));
  const sums = own.filter(({ hasHits }) => hasHits === 0);
  const hits = own.filter(({ hasHits }) => hasHits === 1);
  const listDays = (some: readonly Slice[]) => [...new Set(some.map(({ day }) => day))];
  if (isAboutNow(query)) return { scanned: hits, summed: [], leftOut: [], untouched: [] };
  if (isFromTotalsOnly(query))
    return { scanned: hits, summed: sums, leftOut: [], untouched: listDays(sums.filter(isTouched)) };
  if (!isFromSums(query, KEPT)) return { scanned: hits, summed: [], leftOut: listDays(sums), untouched: [] };
  const isScanned = (slice: Slice) =>
    isTouched(slice) || (query.report === 'breakdown' && !hasRollup(query.breakdown, slice));
  return {
    scanned: hits.filter(isScanned),
    summed: [...hits.filter((slice) => !isScanned(slice)), ...sums],
    leftOut: [],
    untouched: listDays(sums.filter(isTouched)),
  };
}
