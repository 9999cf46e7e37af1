import type { SealedDay } from '../../catalog/sealed-days.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import { STORED_BREAKDOWNS } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { readColumn } from '../column/column.ts';
import { readSealedProperties } from '../column/properties.ts';
import { makeReducer, type Reducer } from '../count/exclude.ts';
import { withTotals } from '../count/totals.ts';
import type { Day } from '../day/day.ts';
import { readOnce } from '../day/shard.ts';
import type { Texts } from '../rows/terms.ts';
import { listPending, listReducedSites, type NewSums } from '../sealed/excluded-sums.ts';
import { hasRollup } from '../sealed/rollup.ts';
import { makeRollupBlobs } from '../sealed/row-sums.ts';
import { packTotals } from '../sealed/totals-only.ts';

/**
 * Counts a sealed day without its excluded visits. If no visit is excluded, `rollups` is empty, and queries use the
 * day's own rollups.
 */
export function reducedSums(row: SealedDay, whole: Day, reducer: Reducer, texts: Texts): NewSums {
  const exclusions = reducer.nameExclusions(row.day);
  const { day, excluded } = reducer.reduce(whole);
  if (excluded[0] === undefined) {
    const totals = Object.fromEntries(TOTALS.map((name) => [name, row[name]])) as Totals;
    return { exclusions, excluded, totals, rollups: [] };
  }
  const left = withTotals(day);
  const names = STORED_BREAKDOWNS.filter((name) => hasRollup(name, row));
  return {
    exclusions,
    excluded,
    totals: left.totals,
    rollups: [...makeRollupBlobs(left, texts, names), packTotals(left.totals)],
  };
}

/**
 * The days of a site whose reduced sums (sums without excluded visits) must change. `pending` has the days that need
 * new sums. `idle` has the ids of days that no exclusion covers any more. The reduced sums of these days are deleted.
 */
export type StaleSums = { siteId: number; pending: SealedDay[]; idle: number[] };

export const listUnsummed = (db: Db): StaleSums[] =>
  listReducedSites(db)
    .map((siteId) => ({ siteId, ...listPending(db, siteId) }))
    .filter(({ pending, idle }) => pending.length + idle.length > 0);

export function sumSealedDay(db: Db, siteId: number, row: SealedDay, texts: Texts): NewSums {
  const column = readOnce((name: Parameters<Day['column']>[0]) => readColumn(db, row, name));
  const whole = { day: row.day, totals: row, column, properties: readSealedProperties(db, row) };
  return reducedSums(row, whole, makeReducer(listExclusions(db, siteId), texts), texts);
}
