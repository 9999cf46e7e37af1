import { isAbout } from '../../catalog/exclusion-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import { isFromSums, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/** What the database file says about some days of a site. */
export type KnownDays = { shown: Shown; exclusions: readonly Exclusion[] };

/**
 * Which slices are read visit by visit (`scanned`), and which from their sums (`summed`). `leftOut` has totals-only
 * days that cannot answer the query. `untouched` has totals-only days with an exclusion: no visit of them can be
 * excluded.
 */
export type DayPlan = { scanned: Slice[]; summed: Slice[]; leftOut: number[]; untouched: number[] };

/**
 * The rollups of the cluster have visitors and hits for each value of a breakdown. They have no times on pages and no
 * row figures.
 */
const KEPT: KeptSums = { times: false, hasRowSums: (_, names) => names.length === 0 };

/** Decides for each sealed day whether its visits or its sums are read. */
export function planDays(query: Query, { shown: { slices }, exclusions }: KnownDays): DayPlan {
  const ranges = isAboutNow(query) ? [query.range] : listRanges(query);
  const own = slices.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));
  const isTouched = ({ day }: Slice) => exclusions.some((one) => isAbout(one, day));
  const sums = own.filter(({ hasHits }) => hasHits === 0);
  const hits = own.filter(({ hasHits }) => hasHits === 1);
  const listDays = (some: readonly Slice[]) => [...new Set(some.map(({ day }) => day))];
  if (isAboutNow(query)) return { scanned: hits, summed: [], leftOut: [], untouched: [] };
  if (!isFromSums(query, KEPT)) return { scanned: hits, summed: [], leftOut: listDays(sums), untouched: [] };
  return {
    scanned: hits.filter(isTouched),
    summed: [...hits.filter((slice) => !isTouched(slice)), ...sums],
    leftOut: [],
    untouched: listDays(sums.filter(isTouched)),
  };
}
