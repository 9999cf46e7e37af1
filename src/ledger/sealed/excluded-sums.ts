// Reads and writes the sums of sealed days with exclusions. A sealed day has sums of all its visits. If exclusions
// leave out some visits, the day also gets reduced sums, without these visits. The reduced totals are in the table
// `excluded_sum`, and the reduced rollups are in `excluded_rollup`.
//
// Invariant: reduced sums are used only while the day has exactly those exclusions with which the sums were made.
// Otherwise, they are stale. A totals-only day is an exception, because its sums cannot be made again.
//
// Example: exclusion 4 leaves out 30 of 100 visits of Monday. `excluded_sum` has 70 visits, with `exclusions` "4". If
// exclusion 5 is added, these sums are stale. Queries then read columns, until there are sums for "4 5".
// upkeep/exclusion-sums.ts makes these sums. Queries, months and recounts read them.
import { listIdsOn } from '../../catalog/exclusion-days.ts';
import {
  findReduced,
  isStillReduced,
  listReduced,
  listSitesWithReduced,
  putReducedTotals,
  type ReducedDay,
  removeReducedTotals,
} from '../../catalog/reduced-days.ts';
import { isShown, listSealed, listSumDays, type SealedDay } from '../../catalog/sealed-days.ts';
import { addExcluded, type ExcludedVisits } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { type Exclusion, listExcludingSites, listExclusions } from '../../store/sites/exclusions.ts';
import { addBlob, listBlobNames, removeBlob, type StoredBlob } from '../column/blobs.ts';

/**
 * Lists the sealed days of a range with their totals, without excluded visits. Days with stale sums are in `pending`,
 * and all other days are in `days`.
 */
export function listSummed(
  db: Db,
  siteId: number,
  exclusions: readonly Exclusion[],
  { from, to }: { from: number; to: number },
): Summed {
  const summed: Summed = { days: [], pending: [], excluded: {}, untouched: [] };
  const rows = listSealed(db, siteId, from, to);
  const reduced = listReduced(
    db,
    rows.map(({ id }) => id),
  );
  const sumDays = new Set(listSumDays(db, siteId, from, to));
  for (const row of rows) {
    const key = listIdsOn(exclusions, row.day);
    const own = reduced.get(row.id);
    const isOfSums = sumDays.has(row.day);
    // A totals-only day (`isOfSums`) has no hits, so newer exclusions cannot be applied to it. Its reduced sums are
    // used if all exclusions with which they were made still exist.
    const isCurrent = own !== undefined && (own.exclusions === key || (isOfSums && isStillReduced(own, key)));
    if (isOfSums && key !== '' && own?.exclusions !== key) summed.untouched.push(row.day);
    if (key !== '' && !isOfSums && !isCurrent) summed.pending.push(row);
    else if (key === '' || !isCurrent || own.excluded[0] === undefined) summed.days.push(row);
    else {
      summed.days.push({ ...row, ...own.totals, reduced: own.exclusions, excluded: own.excluded });
      addExcluded(summed.excluded, own.excluded);
    }
  }
  return summed;
}

export type Summed = {
  days: SealedDay[];
  pending: SealedDay[];
  /** How many visits each exclusion leaves out. Days in `pending` are not counted, because their sums are stale. */
  excluded: ExcludedVisits;
  /** Totals-only days to which at least one exclusion could not be applied. */
  untouched: number[];
};

/**
 * New reduced sums of a day. If no visit of the day is excluded, `rollups` is empty, and queries use the day's own
 * rollups.
 */
export type NewSums = ReducedDay & { rollups: StoredBlob[] };

/** Lists the sites with exclusions, and the sites that still store sums for removed exclusions. */
export const listReducedSites = (db: Db): number[] => [
  ...new Set([...listExcludingSites(db), ...listSitesWithReduced(db)]),
];

/**
 * Lists the sealed days whose reduced sums must change. `pending` has the days with stale sums. `idle` has the ids of
 * days that no exclusion covers any more. The reduced sums of these days can be deleted.
 */
export function listPending(db: Db, siteId: number): { pending: SealedDay[]; idle: number[] } {
  const exclusions = listExclusions(db, siteId);
  const all = listSealed(db, siteId, 0, Number.MAX_SAFE_INTEGER);
  const whole = all.filter(({ day }) => listIdsOn(exclusions, day) === '').map(({ id }) => id);
  const { pending } = listSummed(db, siteId, exclusions, { from: 0, to: Number.MAX_SAFE_INTEGER });
  return { pending, idle: [...listReduced(db, whole).keys()] };
}

/**
 * True if the reduced sums of a day are stale or missing. The hits of the day are then still needed to count new sums.
 */
export function isPending(db: Db, siteId: number, { id, day }: SealedDay): boolean {
  const key = listIdsOn(listExclusions(db, siteId), day);
  return key !== '' && findReduced(db, id)?.exclusions !== key;
}

/** Deletes the reduced sums of a day. Queries then use the day's sums of all visits again. */
export function removeReduced(db: Db, id: number): void {
  for (const name of listBlobNames(db, 'excluded_rollup', id)) removeBlob(db, 'excluded_rollup', id, name);
  removeReducedTotals(db, id);
}

/**
 * Replaces the reduced sums of a day by `sums`. Returns false and changes nothing if the day was removed, or if its
 * exclusions changed since `sums` were counted.
 */
export function putReduced(db: Db, siteId: number, { id, day }: SealedDay, sums: NewSums): boolean {
  if (!isShown(db, id) || listIdsOn(listExclusions(db, siteId), day) !== sums.exclusions) return false;
  removeReduced(db, id);
  putReducedTotals(db, siteId, id, sums);
  for (const blob of sums.rollups) addBlob(db, 'excluded_rollup', id, blob);
  return true;
}
