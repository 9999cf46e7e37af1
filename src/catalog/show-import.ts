// Makes an import visible to queries: one transaction shows all of its days, or none of them.
//
// Invariant: an import is shown only if all that the engine wrote for it still exists. Writing an import takes minutes,
// and queries do not see it meanwhile. In that time the site may be deleted, days may be sealed, or written rows may be
// deleted. So this transaction checks them again.
//
// Example: the nightly cleaning deletes rows that are older than a day and not visible. If an import wrote 3 days and
// only 2 of them are left, showImport refuses the import. `ledger/upkeep/import.ts` and `cluster/upkeep/import.ts` call
// showImport (test/catalog/show-import.test.ts).

import { Refusal } from '../lib/errors.ts';
import type { Db } from '../store/db.ts';
import { hasSite } from '../store/sites/sites.ts';
import { listStaged, markReplacedGone, showImported } from './day-states.ts';
import { findImport, listOpenImports, showImportRow } from './imports.ts';
import { isSealed } from './sealed-days.ts';

/**
 * Makes an import visible to queries. If two imports of one day run in parallel, the second is refused, unless it
 * replaces the first. Live hits of today may stay beside the imported hits. For an import of ten years this takes about
 * 10 ms.
 */
export function showImport(db: Db, { siteId, importId, staged, openDay, now }: StagedImport, showing: Showing): void {
  const { replace, listTaken, findNewestRow } = showing;
  db.write(() => {
    const days = listStaged(db, siteId, importId);
    if (findImport(db, siteId, importId)?.state !== 'staged' || !hasSite(db, siteId) || days.length !== staged) {
      throw new Refusal('the site was deleted, or the import took too long; nothing was imported');
    }
    if (openDay !== null && isSealed(db, siteId, openDay)) {
      throw new Refusal('a day of the file was sealed during the import; nothing was imported, import the file again');
    }
    const isImported = (day: number): boolean => listOpenImports(db, siteId, day, day + 1).length > 0;
    if (replace) markReplacedGone(db, siteId, importId);
    else if (listTaken(days).length > 0 || (openDay !== null && isImported(openDay))) throw refuseOvertaken();
    showImported(db, siteId, importId);
    const voidUntil = replace && openDay !== null ? findNewestRow() : null;
    showImportRow(db, { id: importId, now, openDay, voidUntil });
  });
}

type StagedImport = {
  siteId: number;
  importId: number;
  /**
   * How many days the engine has written for this import. If fewer are left, some were deleted meanwhile, and the
   * import is refused.
   */
  staged: number;
  /** The site's current day. Null if the import has no hits of that day. */
  openDay: number | null;
  now: number;
};

type Showing = {
  /** Whether the import replaces what the site already has on the imported days. */
  replace: boolean;
  /** Finds the days of the list for which the site already has data. */
  listTaken(days: readonly number[]): number[];
  /** Finds the id of the newest live hit. Live hits up to this id are replaced by the import. */
  findNewestRow(): number;
};

export const refuseOvertaken = (): Refusal =>
  new Refusal(
    'days of the file were sealed or imported by another during the import; nothing was imported, use --replace to replace them',
  );
