// Shows an import: one transaction makes all of its days visible to queries, or none of them.
//
// Invariant: what is shown is what was staged. An engine first writes an import so that no query sees it. That takes
// minutes, in which the site, its days and the staged rows may change, so this transaction checks them again.
//
// Example: `sweep` deletes staged days after a day. An import of 3 days of which only 2 are still staged is refused.
// `ledger/upkeep/import.ts` and `cluster/upkeep/import.ts` call this (test/catalog/show-import.test.ts).

import { Refusal } from '../lib/errors.ts';
import type { Db } from '../store/db.ts';
import { hasSite } from '../store/sites/sites.ts';
import { listStaged, markReplacedGone, showImported } from './day-states.ts';
import { findImport, listOpenImports, showImportRow } from './imports.ts';
import { isSealed } from './sealed-days.ts';

/**
 * Shows an import. Without `replace`, the second of two parallel imports of one day is refused. Hits that are collected
 * today may stay next to an import. Two small updates for each sealed day take about 10 ms for ten years.
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
  /** How many days the engine has staged. */
  staged: number;
  /** The current day, if the import has hits of it. */
  openDay: number | null;
  now: number;
};

type Showing = {
  /** Discards earlier data of the days. */
  replace: boolean;
  /** Lists those of the given days that have data by now. */
  listTaken(days: readonly number[]): number[];
  /** Finds the number of the newest collected row. */
  findNewestRow(): number;
};

export const refuseOvertaken = (): Refusal =>
  new Refusal(
    'days of the file were sealed or imported by another during the import; nothing was imported, use --replace to replace them',
  );
