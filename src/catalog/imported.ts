import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { abandonStagedDays, markImportedDaysGone } from './day-states.ts';
import { abandonStagedImports, findImport, listImportZones, listShownImports, markImportGone } from './imports.ts';
import { isSealedFromCollected, listImported } from './sealed-days.ts';

/** Marks what a failed import has staged for deletion by `sweep`. */
export const abandonImport = (db: Db, siteId: number, id: number): void =>
  db.write(() => {
    if (findImport(db, siteId, id)?.state === 'staged') markGone(db, siteId, id);
  });

function markGone(db: Db, siteId: number, id: number): void {
  markImportedDaysGone(db, siteId, id);
  markImportGone(db, siteId, id);
}

/**
 * Leaves to `sweep` what was staged before a moment, and is not shown yet. A sweep calls this before it deletes, because an import that
 * ends meanwhile would be shown with some of its days deleted (test/catalog/show-import.test.ts).
 */
export const abandonOld = (db: Db, before: number): void =>
  db.write(() => {
    abandonStagedImports(db, before);
    abandonStagedDays(db, before);
  });

/** Hides an import. Gives the day that keeps its hits because it was sealed together with collected hits. */
export const hideImport = (db: Db, siteId: number, id: number): number | undefined =>
  db.write(() => {
    const openDay = findImport(db, siteId, id)?.openDay ?? undefined;
    markGone(db, siteId, id);
    return openDay !== undefined && isSealedFromCollected(db, siteId, openDay) ? openDay : undefined;
  });

type ImportedDay = { importId: number; day: number; hits: number };

/** Lists the shown imports of a site. `open` has their open days, which only the engine knows. */
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

/** Lists the sealed days of a site that came from an import, with the zone of that import. */
export function listImportedDays(db: Db, siteId: number): { day: number; timeZone: string }[] {
  const zones = listImportZones(db, siteId);
  return listImported(db, siteId).map(({ importId, day }) => ({ day, timeZone: zones.get(importId) ?? UTC }));
}
