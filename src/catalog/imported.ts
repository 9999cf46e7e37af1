// Shows, hides and lists imports together with their days. imports.ts has the rows of imports, and day-states.ts the
// rows of their sealed days.
//
// Invariant: one transaction changes the state of an import and of its days, so an import is never shown in part. Both
// engines use this file.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { abandonStagedDays, markImportedDaysGone } from './day-states.ts';
import { abandonStagedImports, findImport, listImportZones, listShownImports, markImportGone } from './imports.ts';
import { isSealedFromCollected, listImported } from './sealed-days.ts';

/** Marks for deletion what a failed import has already written. */
export const abandonImport = (db: Db, siteId: number, id: number): void =>
  db.write(() => {
    if (findImport(db, siteId, id)?.state === 'staged') markGone(db, siteId, id);
  });

function markGone(db: Db, siteId: number, id: number): void {
  markImportedDaysGone(db, siteId, id);
  markImportGone(db, siteId, id);
}

/**
 * Marks for deletion the imports and days that were written before a time and are not shown yet. A sweep calls this
 * before it deletes anything. Otherwise an import could end during the sweep, and would be shown without some of its
 * days (test/catalog/show-import.test.ts).
 */
export const abandonOld = (db: Db, before: number): void =>
  db.write(() => {
    abandonStagedImports(db, before);
    abandonStagedDays(db, before);
  });

/**
 * Hides an import. If its open day was sealed together with collected hits, the imported hits stay in that day. In
 * that case the function gives that day.
 */
export const hideImport = (db: Db, siteId: number, id: number): number | undefined =>
  db.write(() => {
    const openDay = findImport(db, siteId, id)?.openDay ?? undefined;
    markGone(db, siteId, id);
    return openDay !== undefined && isSealedFromCollected(db, siteId, openDay) ? openDay : undefined;
  });

type ImportedDay = { importId: number; day: number; hits: number };

/**
 * Lists the imports of a site that are shown. `open` has the open days of these imports, which only the engine knows.
 */
export function listImports(db: Db, siteId: number, open: readonly ImportedDay[]) {
  const all = [...listImported(db, siteId), ...open];
  return listShownImports(db, siteId).map(({ id, shownAt }) => {
    const own = all.filter(({ importId }) => importId === id);
    const days = own.map(({ day }) => day);
    return {
      id,
      at: shownAt ?? 0,
      hits: own.reduce((sum, { hits }) => sum + hits, 0),
      days: days.length,
      first: days.length > 0 ? Math.min(...days) : 0,
      last: days.length > 0 ? Math.max(...days) : 0,
    };
  });
}

/** Lists the sealed days of a site that came from an import. `timeZone` is the time zone of that import. */
export function listImportedDays(db: Db, siteId: number): { day: number; timeZone: string }[] {
  const zones = listImportZones(db, siteId);
  return listImported(db, siteId).map(({ importId, day }) => ({ day, timeZone: zones.get(importId) ?? UTC }));
}
