// Makes imports visible to queries, hides them, and lists them together with their days. imports.ts has the rows of
// imports, and day-states.ts the rows of their days.
//
// Invariant: one transaction changes the state of an import and of all its days. So queries never see a part of an
// import. Example: an import of 30 days fails after 12 days. abandonImport hides what it has written, and the nightly
// cleaning deletes it. Both engines (SQLite and ClickHouse) use this file.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { abandonStagedDays, markImportedDaysGone } from './day-states.ts';
import { abandonStagedImports, findImport, listImportZones, listShownImports, markImportGone } from './imports.ts';
import { isSealedFromCollected, listImported } from './sealed-days.ts';

/** Gives up a failed import: what it has written is hidden, and deleted later. */
export const abandonImport = (db: Db, siteId: number, id: number): void =>
  db.write(() => {
    if (findImport(db, siteId, id)?.state === 'staged') markGone(db, siteId, id);
  });

function markGone(db: Db, siteId: number, id: number): void {
  markImportedDaysGone(db, siteId, id);
  markImportGone(db, siteId, id);
}

/**
 * Gives up imports and days that were begun before a time and are still not visible. Call it before deleting anything.
 * Otherwise an import could end meanwhile, and would become visible without some of its days
 * (test/catalog/show-import.test.ts).
 */
export const abandonOld = (db: Db, before: number): void =>
  db.write(() => {
    abandonStagedImports(db, before);
    abandonStagedDays(db, before);
  });

/**
 * Hides an import from queries. Its hits of a day that was still open may since have been sealed (packed) together with
 * live hits. Then they stay, and the function gives that day.
 */
export const hideImport = (db: Db, siteId: number, id: number): number | undefined =>
  db.write(() => {
    const openDay = findImport(db, siteId, id)?.openDay ?? undefined;
    markGone(db, siteId, id);
    return openDay !== undefined && isSealedFromCollected(db, siteId, openDay) ? openDay : undefined;
  });

type ImportedDay = { importId: number; day: number; hits: number };

/**
 * Lists the imports of a site that queries can see, with their days. `open` has days that are not over or not sealed
 * (packed) yet, which only the engine knows.
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

/**
 * Lists the sealed days (packed past days) of a site that came from an import. `timeZone` is the site's time zone at
 * the time of that import.
 */
export function listImportedDays(db: Db, siteId: number): { day: number; timeZone: string }[] {
  const zones = listImportZones(db, siteId);
  return listImported(db, siteId).map(({ importId, day }) => ({ day, timeZone: zones.get(importId) ?? UTC }));
}
