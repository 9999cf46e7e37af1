import { isAbout } from '../../catalog/exclusion-days.ts';
import type { Slice } from '../../catalog/sealed-days.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import { isFromSums, type KeptSums } from '../../stats/sums.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Shown } from './visible-rows.ts';

/** What the file knows of some days of a site, without asking the servers. */
export type KnownDays = { shown: Shown; exclusions: readonly Exclusion[] };

/**
 * Which slices are read visit by visit, and which from their sums. `leftOut` has days that cannot be in the answer. `untouched`
 * has days of which an exclusion cannot take anything.
 */
export type DayPlan = { scanned: Slice[]; summed: Slice[]; leftOut: number[]; untouched: number[] };

/** The table `tally` has visitors and hits of a value only. Neither times nor other figures are there. */
const KEPT: KeptSums = { times: false, hasRowSums: (_, names) => names.length === 0 };

/** Plans from what each sealed day is read. */
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
