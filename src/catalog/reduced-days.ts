// Stores reduced totals: the totals of sealed days without their excluded visits. Reduced totals are in the table
// `excluded_sum`. Reduced rollups are not in this table: each engine stores them elsewhere.
//
// Invariant: reduced totals are used only while the day has exactly the exclusions that they were made with. After a
// change of the exclusions, they are stale. A totals-only day is different, because its totals cannot be reduced again.
// Its reduced totals are used while all exclusions that they were made with exist, even if there are newer exclusions.
//
// Example: exclusion 4 leaves out 30 of 100 visits of Monday. Monday has the reduced totals of 70 visits, with
// `exclusions` "4". If exclusion 4 is removed, the 100 visits count again.
//
// The ledger uses this file for all sealed days (ledger/sealed/excluded-sums.ts). The cluster uses this file only for
// totals-only days (cluster/upkeep/retention.ts).
import { type ExcludedVisits, TOTALS, type Totals } from '../stats/aggregates.ts';
import type { Db } from '../store/db.ts';

/**
 * The sums of a sealed day without its excluded visits. `exclusions` has the ids of the exclusions, such as "4 5".
 * `excluded` has the number of visits that each exclusion leaves out.
 */
export type ReducedDay = { exclusions: string; excluded: ExcludedVisits; totals: Totals };

type StoredSums = Totals & { id: number; exclusions: string; excluded: string };

const ROW = `sealed_day_id AS id, exclusions, excluded, ${TOTALS.join(', ')}`;

const readRow = ({ exclusions, excluded, ...row }: StoredSums): ReducedDay => ({
  exclusions,
  excluded: JSON.parse(excluded),
  totals: Object.fromEntries(TOTALS.map((name) => [name, row[name]])) as Totals,
});

export function findReduced(db: Db, id: number): ReducedDay | undefined {
  const row = db.one<StoredSums>(`SELECT ${ROW} FROM excluded_sum WHERE sealed_day_id = ?`, id);
  return row && readRow(row);
}

export const listReduced = (db: Db, ids: readonly number[]): Map<number, ReducedDay> =>
  new Map(
    db
      .all<StoredSums>(
        `SELECT ${ROW} FROM excluded_sum WHERE sealed_day_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
      .map((row) => [row.id, readRow(row)]),
  );

export const listSitesWithReduced = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM excluded_sum').map(({ id }) => id);

/** True if all exclusions that a totals-only day was reduced with still exist. `now` has the present exclusions. */
export const isStillReduced = ({ exclusions }: ReducedDay, now: string): boolean =>
  exclusions.split(' ').every((id) => now.split(' ').includes(id));

export function putReducedTotals(
  db: Db,
  siteId: number,
  id: number,
  { exclusions, excluded, totals }: ReducedDay,
): void {
  const columns = ['sealed_day_id', 'site_id', 'exclusions', 'excluded', ...TOTALS];
  db.run(
    `REPLACE INTO excluded_sum (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    id,
    siteId,
    exclusions,
    JSON.stringify(excluded),
    ...TOTALS.map((name) => totals[name]),
  );
}

export const removeReducedTotals = (db: Db, id: number): void => {
  db.run('DELETE FROM excluded_sum WHERE sealed_day_id = ?', id);
};

/** Deletes the reduced totals of all days, except days with the given ids. */
export const keepReducedTotals = (db: Db, ids: readonly number[]): void => {
  db.run('DELETE FROM excluded_sum WHERE sealed_day_id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
};
