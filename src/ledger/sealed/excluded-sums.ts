// Sums of a sealed day without excluded visits stand beside its own sums: totals in `excluded_sum`, rollups in `excluded_rollup`.
// Invariant: such sums are used only while the day has exactly the exclusions with which they were made. Otherwise they are stale.
//
// Example: exclusion 4 takes 30 of 100 visits of Monday. Monday's own totals stay 100, and `excluded_sum` has 70 with `exclusions` "4". If
// exclusion 5 is added, the 70 are stale, and queries read the columns until a thread has made sums for "4 5".
//
// A totals-only day cannot get new sums. It keeps those that it had, as long as their exclusions still exist.
// upkeep/exclusion-sums.ts makes these sums, and stored-sums.ts, month.ts and upkeep/recount.ts read them.
import { listIdsOn } from '../../catalog/exclusion-days.ts';
import { isShown, listSealed, listSumDays, type SealedDay } from '../../catalog/sealed-days.ts';
import { addExcluded, type ExcludedVisits, TOTALS, type Totals } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { type Exclusion, listExcludingSites, listExclusions } from '../../store/sites/exclusions.ts';
import { addBlob, listBlobNames, removeBlob, type StoredBlob } from '../column/blobs.ts';

/** The sums of a sealed day without excluded visits. `exclusions` has the ids of its exclusions. */
export type ReducedDay = { exclusions: string; excluded: ExcludedVisits; totals: Totals };

type StoredSums = Totals & { id: number; exclusions: string; excluded: string };

const ROW = `sealed_day_id AS id, exclusions, excluded, ${TOTALS.join(', ')}`;

/** Lists the sealed days of a range with the sums that count. */
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
    // Visits that were excluded before the hits were deleted stay excluded.
    const isCurrent = own !== undefined && (own.exclusions === key || (isOfSums && areAmong(own.exclusions, key)));
    if (isOfSums && key !== '' && own?.exclusions !== key) summed.untouched.push(row.day);
    if (key !== '' && !isOfSums && !isCurrent) summed.pending.push(row);
    else if (key === '' || !isCurrent || own.excluded[0] === undefined) summed.days.push(row);
    else {
      summed.days.push({ ...row, ...own.totals, reduced: own.exclusions });
      addExcluded(summed.excluded, own.excluded);
    }
  }
  return summed;
}

const readRow = ({ exclusions, excluded, ...row }: StoredSums): ReducedDay => ({
  exclusions,
  excluded: JSON.parse(excluded),
  totals: Object.fromEntries(TOTALS.map((name) => [name, row[name]])) as Totals,
});

export function findReduced(db: Db, id: number): ReducedDay | undefined {
  const row = db.one<StoredSums>(`SELECT ${ROW} FROM excluded_sum WHERE sealed_day_id = ?`, id);
  return row && readRow(row);
}

const listReduced = (db: Db, ids: readonly number[]): Map<number, ReducedDay> =>
  new Map(
    db
      .all<StoredSums>(
        `SELECT ${ROW} FROM excluded_sum WHERE sealed_day_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
      .map((row) => [row.id, readRow(row)]),
  );

/** The sealed days of a range, with their sums after exclusions. */
export type Summed = {
  days: SealedDay[];
  /** Days with stale sums. */
  pending: SealedDay[];
  /** The excluded visits of days whose sums are not stale. */
  excluded: ExcludedVisits;
  /** Totals-only days from which not all of their exclusions could take visits. */
  untouched: number[];
};

const areAmong = (ids: string, all: string): boolean => ids.split(' ').every((id) => all.split(' ').includes(id));

/** New sums of a day. Without rollups, its exclusions take nothing, so its own rollups count. */
export type NewSums = ReducedDay & { rollups: StoredBlob[] };

/** Lists the sites with exclusions, or with sums that earlier exclusions left. */
export const listReducedSites = (db: Db): number[] => {
  const reduced = db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM excluded_sum').map(({ id }) => id);
  return [...new Set([...listExcludingSites(db), ...reduced])];
};

/** Lists the sealed days with stale sums, and the ids of days with sums that nobody needs. */
export function listPending(db: Db, siteId: number): { pending: SealedDay[]; idle: number[] } {
  const exclusions = listExclusions(db, siteId);
  const all = listSealed(db, siteId, 0, Number.MAX_SAFE_INTEGER);
  const whole = all.filter(({ day }) => listIdsOn(exclusions, day) === '').map(({ id }) => id);
  const { pending } = listSummed(db, siteId, exclusions, { from: 0, to: Number.MAX_SAFE_INTEGER });
  return { pending, idle: [...listReduced(db, whole).keys()] };
}

/** True if a day with hits has stale sums. */
export function isPending(db: Db, siteId: number, { id, day }: SealedDay): boolean {
  const key = listIdsOn(listExclusions(db, siteId), day);
  return key !== '' && findReduced(db, id)?.exclusions !== key;
}

/** Deletes the sums of a day without excluded visits. */
export function removeReduced(db: Db, id: number): void {
  for (const name of listBlobNames(db, 'excluded_rollup', id)) removeBlob(db, 'excluded_rollup', id, name);
  db.run('DELETE FROM excluded_sum WHERE sealed_day_id = ?', id);
}

/** Replaces these sums of a day. Returns false if the day was removed, or has other exclusions by now. */
export function putReduced(db: Db, siteId: number, { id, day }: SealedDay, sums: NewSums): boolean {
  if (!isShown(db, id) || listIdsOn(listExclusions(db, siteId), day) !== sums.exclusions) return false;
  removeReduced(db, id);
  const columns = ['sealed_day_id', 'site_id', 'exclusions', 'excluded', ...TOTALS];
  db.run(
    `INSERT INTO excluded_sum (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    id,
    siteId,
    sums.exclusions,
    JSON.stringify(sums.excluded),
    ...TOTALS.map((name) => sums.totals[name]),
  );
  for (const blob of sums.rollups) addBlob(db, 'excluded_rollup', id, blob);
  return true;
}
