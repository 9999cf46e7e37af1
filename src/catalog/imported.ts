// Hides and lists imports together with their days. show-import.ts shows imports, imports.ts changes the rows of
// imports, and day-states.ts changes the rows of days.
//
// Invariant: one transaction changes the state of an import and of all its days. So queries never see only a part of an
// import.
//
// Example: an import of 30 days fails after 12 days. `abandonImport` hides the 12 days, and the sweep deletes them.
// Both engines use this file.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { addChange, findLastChange } from '../store/sites/changes.ts';
import { abandonStagedDays, listReopenedDays, markImportedDaysGone } from './day-states.ts';
import { abandonStagedImports, findImport, listImportZones, listShownImports, markImportGone } from './imports.ts';
import { loseOpen, loseSlices } from './lost-days.ts';
import { isSealed, isSealedFromCollected, listImported, listImportedSlices } from './sealed-days.ts';

/**
 * Gives up a failed import. Its days are hidden, and the sweep deletes them. If the site was deleted meanwhile, the
 * import has no row any more, but its days may still be staged. Such days are given up too.
 */
export const abandonImport = (db: Db, siteId: number, id: number): void =>
  db.write(() => {
    const { state = 'staged' } = findImport(db, siteId, id) ?? {};
    if (state === 'staged') markGone(db, siteId, id);
  });

function markGone(db: Db, siteId: number, id: number): void {
  markImportedDaysGone(db, siteId, id);
  markImportGone(db, siteId, id);
}

/**
 * Gives up imports and days that were staged before the time `before`. Call this function before the sweep deletes such
 * days. Otherwise an import could be shown while the sweep deletes some of its days (test/catalog/show-import.test.ts).
 */
export const abandonOld = (db: Db, before: number): void =>
  db.write(() => {
    abandonStagedImports(db, before);
    abandonStagedDays(db, before);
  });

/**
 * `alongside` makes more writes in the transaction. `last` is the id of the latest change before the import is hidden.
 */
type Hiding = { now: number; alongside?: ((last: number) => void) | undefined };

/**
 * Hides an import and its days. One day may have been sealed from live hits and imported hits together. Such a day
 * stays, and is returned.
 */
export const hideImport = (db: Db, siteId: number, id: number, { now, alongside }: Hiding): number | undefined =>
  db.write(() => {
    const last = findLastChange(db);
    const openDay = findImport(db, siteId, id)?.openDay ?? undefined;
    const slices = listImportedSlices(db, siteId, id);
    // On a cluster, the import keeps its open day even after this day was sealed. Such a sealed day stays after the
    // import is hidden, so the day is not lost.
    const stays = (day: number) => isSealed(db, siteId, day) || listReopenedDays(db, siteId).includes(day);
    const unsealed = openDay === undefined || stays(openDay) ? [] : [openDay];
    const days = [...slices.map(({ day }) => day), ...unsealed];
    if (days.length > 0) {
      const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
      const change = addChange(db, { siteId, reason: 'import_removed', ...range, now });
      loseSlices(db, siteId, slices, change);
      loseOpen(db, siteId, unsealed, change);
    }
    alongside?.(last);
    markGone(db, siteId, id);
    return openDay !== undefined && isSealedFromCollected(db, siteId, openDay) ? openDay : undefined;
  });

type ImportedDay = { importId: number; day: number; hits: number };

/**
 * Lists the shown imports of a site with their days. `open` has the imported hits of open days, which only the engine
 * knows.
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

/** Lists the sealed days of a site that came from an import, with the time zone of the import. */
export function listImportedDays(db: Db, siteId: number): { day: number; timeZone: string }[] {
  const zones = listImportZones(db, siteId);
  return listImported(db, siteId).map(({ importId, day }) => ({ day, timeZone: zones.get(importId) ?? UTC }));
}
