import { TEXT_FIELDS } from '../stats/dimensions.ts';
import { visitRows } from '../stats/visit-rows.ts';
import type { Db } from '../store/statements.ts';
import { readColumn } from './columns.ts';
import type { Day } from './day.ts';
import { type HitList, newestHitId } from './hits.ts';
import { closeImports } from './imports.ts';
import { isSealed, type ReopenedDay, reopenDay } from './sealed-days.ts';
import { visitsOf } from './visits-of.ts';

/**
 * Sees to it that a day takes hits. One that was sealed under a clock that was ahead is opened again: its visits count as before,
 * beside the hits that come, until it is sealed anew (test/ledger/reopened.test.ts). False for a day that has sums only.
 */
export function open(db: Db, siteId: number, day: number): boolean {
  if (!isSealed(db, siteId, day)) return true;
  if (!reopenDay(db, siteId, day, newestHitId(db))) return false;
  closeImports(db, siteId, day);
  return true;
}

/** Rows from which the visits of a sealed day are formed again. Its visitors get numbers that no code of a visitor is. */
function* rowsOf(day: Day): Generator<HitList> {
  for (const visit of visitsOf(day, (term) => term)) {
    for (const row of visitRows(visit, 0)) {
      const terms = { ...visit, ...row };
      yield [0, row.second, -visit.visitor, row.engaged ?? -1, ...TEXT_FIELDS.map((field) => terms[field])];
    }
  }
}

/** What a day that was opened again had when it was sealed. */
export const reopenedRows = (db: Db, row: ReopenedDay): Generator<HitList> =>
  rowsOf({ day: row.day, totals: row, column: (name) => readColumn(db, row, name) });
