import { findImport, listImportZones, listShownImports, markImportGone } from '../catalog/imports.ts';
import { isSealedFromCollected, listImported, markImportedDaysGone } from '../catalog/sealed-days.ts';
import type { Import } from '../engine.ts';
import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/statements.ts';
import { type Nodes, summed } from './nodes.ts';

type Key = { siteId: number; importId: number };

export function markGone(db: Db, { siteId, importId }: Key): void {
  markImportedDaysGone(db, siteId, importId);
  markImportGone(db, siteId, importId);
}

/** Deletes the rows of imports that were sealed or have failed. */
export async function dropBrought(nodes: Nodes, importIds: readonly number[]): Promise<void> {
  for (const id of importIds) await nodes.everywhere(`ALTER TABLE brought DROP PARTITION ${id}`);
}

/** Hides an import. Gives the day that keeps its hits because it was sealed together with collected hits. */
export const removeImport = (db: Db, siteId: number, id: number): number | undefined =>
  db.write(() => {
    const openDay = findImport(db, siteId, id)?.openDay ?? undefined;
    markGone(db, { siteId, importId: id });
    return openDay !== undefined && isSealedFromCollected(db, siteId, openDay) ? openDay : undefined;
  });

/** The visible imports of a site, with their sealed days and their hits in open days. */
export async function listImports({ db, nodes }: { db: Db; nodes: Nodes }, siteId: number): Promise<Import[]> {
  const rows = await nodes.ask<{ importId: number; day: number; hits: number }>(
    `SELECT import AS importId, day, countIf(engaged = 0) AS hits FROM activity
     WHERE site = ${siteId} AND import <> 0 GROUP BY importId, day`,
  );
  const open = summed(rows, ['importId', 'day']);
  const sealed = listImported(db, siteId);
  return listShownImports(db, siteId).map(({ id, shownAt, openDay }) => {
    const own = [
      ...sealed.filter(({ importId }) => importId === id),
      ...open.filter(({ importId, day }) => importId === id && day === openDay),
    ];
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

/** The sealed days of a site that came from an import, and the zone in which they are days. */
export function importedDays(db: Db, siteId: number): { day: number; timeZone: string }[] {
  const zones = listImportZones(db, siteId);
  return listImported(db, siteId).map(({ importId, day }) => ({ day, timeZone: zones.get(importId) ?? UTC }));
}
