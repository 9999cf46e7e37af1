// Makes an import visible: one transaction shows all of its days, or none of them.
//
// Invariant: an import is shown only if all of its days still exist. Writing an import takes minutes. Meanwhile,
// somebody may delete the site, or the sweep may delete staged days. So this transaction looks for all days again.
//
// Example: the sweep deletes days that have been staged for 24 hours. If an import wrote 3 days and only 2 are left,
// `showImport` refuses the import.
//
// Both engines call `showImport`. Test: test/catalog/show-import.test.ts.

import { Refusal } from '../lib/errors.ts';
import type { Db } from '../store/db.ts';
import { addChange, findToday } from '../store/sites/changes.ts';
import { hasSite } from '../store/sites/sites.ts';
import { listStaged, markReplacedGone, showImported } from './day-states.ts';
import { findImport, listOpenImports, showImportRow } from './imports.ts';
import { loseOpen, loseSlices } from './lost-days.ts';
import { isSealed, listSlicesOn } from './sealed-days.ts';

/**
 * Shows an import. Two imports with a common day may run in parallel. Without `replace`, the import that ends later is
 * refused. With `replace`, the import that ends later replaces the import that ended first. One case is refused even
 * with `replace`: the common day is open, and the import that ended first began later. For an import of ten years, the
 * transaction takes about 10 ms.
 */
export function showImport(db: Db, { siteId, importId, staged, openDay, now }: StagedImport, showing: Showing): void {
  const { replace, listTaken, listOpen, findNewestRow } = showing;
  db.write(() => {
    const days = listStaged(db, siteId, importId);
    if (findImport(db, siteId, importId)?.state !== 'staged' || !hasSite(db, siteId) || days.length !== staged) {
      throw new Refusal('the site was deleted, the hits were moved, or the import took too long. Nothing was imported');
    }
    if (openDay !== null && isSealed(db, siteId, openDay)) {
      throw new Refusal('a day of the file was sealed during the import. Nothing was imported. Import the file again');
    }
    const ofOpenDay = openDay === null ? [] : listOpenImports(db, siteId, openDay, openDay + 1);
    // If several imports replace the hits of an open day, queries count the import with the highest id. So an import is
    // refused if one with a higher id is already shown.
    if (replace && ofOpenDay.some(({ id }) => id > importId)) {
      throw new Refusal(
        'another import of the same day began later and ended first. Nothing was imported. Import the file again',
      );
    }
    // The import may have begun before midnight. Then reports at the end of that day did not count the imported hits.
    // From now on, this earlier state of the day can no longer be counted.
    const over = openDay !== null && openDay < findToday(db, siteId, now) ? [openDay] : [];
    const changed = [...days, ...over];
    const change = changed.length === 0 ? 0 : addImportChange(db, siteId, changed, now);
    loseOpen(db, siteId, over, change);
    if (replace) {
      loseSlices(db, siteId, listSlicesOn(db, siteId, days), change);
      loseOpen(db, siteId, listOpen(days), change);
      markReplacedGone(db, siteId, importId);
    } else if (listTaken(days).length > 0 || ofOpenDay.length > 0) throw refuseOvertaken();
    showImported(db, siteId, importId, change);
    const voidUntil = replace && openDay !== null ? findNewestRow() : null;
    showImportRow(db, { id: importId, now, openDay, voidUntil });
  });
}

const addImportChange = (db: Db, siteId: number, days: readonly number[], now: number): number => {
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  return addChange(db, { siteId, reason: 'import_added', ...range, now });
};

type StagedImport = {
  siteId: number;
  importId: number;
  /**
   * How many days the engine has staged for this import. If some of these days are missing now, the import is refused.
   */
  staged: number;
  /** The current day of the site. Null if the import has no hits of that day. */
  openDay: number | null;
  now: number;
};

type Showing = {
  /** True if the import replaces what the site already has on the imported days. */
  replace: boolean;
  listTaken(days: readonly number[]): number[];
  /** Lists the days with hits that are not sealed yet. An import that replaces these days deletes the hits. */
  listOpen(days: readonly number[]): readonly number[];
  /** Finds the id of the newest live hit. The import replaces live hits up to this id. */
  findNewestRow(): number;
};

export const refuseOvertaken = (): Refusal =>
  new Refusal(
    'another import or the server wrote days of the file during this import. Nothing was imported. To replace those days, use --replace',
  );
