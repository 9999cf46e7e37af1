import { isAbout } from '../../catalog/exclusion-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import { isFromSums, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/**
 * What the database file says about some days of a site: which days are sealed (stored as visits) or imported, and
 * which exclusions take visits out of the statistics.
 */
export type KnownDays = { shown: Shown; exclusions: readonly Exclusion[] };

/**
 * Which sealed days (past days, stored as slices) are read visit by visit (`scanned`), and which from stored sums
 * (`summed`). Of some days only sums are stored. `leftOut` lists those that cannot answer the query, for example
 * because it has filters. `untouched` lists those from which an exclusion cannot take visits out.
 */
export type DayPlan = { scanned: Slice[]; summed: Slice[]; leftOut: number[]; untouched: number[] };

/**
 * What the stored sums of the cluster contain: visitors and hits for each value of a breakdown. They have no times on
 * pages and no other figures, such as bounces. A query for these must read visits.
 */
const KEPT: KeptSums = { times: false, hasRowSums: (_, names) => names.length === 0 };

/**
 * Past days are stored as visits and as sums (sealed days). Decides for each of them whether visits or sums are read.
 * Reading sums is faster.
 */
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
