// Finds sealed days that the database file shows, but whose visits were deleted from the cluster. That happens if the
// file is restored from a backup. A site or an import may have been deleted since the backup.
//
// Invariant: a sealed day without rollups on any server counts in no answer. Otherwise its totals, which are in the
// database file, would count, but its pages and sources would be missing. A day that still has rollups on the servers,
// but no visits, becomes a totals-only day.
//
// Example: the backup was made at 02:00, an import was deleted at 10:00, and the file was restored at 11:00. The file
// says that the days of the import are shown, but no server has visits of these days. admission.ts and upkeep/adopt.ts
// use this file.
import { listStored, type SiteDay, setSumsOnly } from '../../catalog/sealed-days.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import type { FoundHolding } from './ownership.ts';

/**
 * SQL for the sealed days of a server. The table `tally` has rollups of each sealed day. The table `visit` has its
 * visits, unless the retention deleted them.
 */
export const SELECT_DAYS = `SELECT DISTINCT slice AS id, 0 AS hasVisits FROM tally
  UNION ALL SELECT DISTINCT slice AS id, 1 AS hasVisits FROM visit`;

/** What a server has of a sealed day: its visits (`hasVisits` is 1) or its rollups (`hasVisits` is 0). */
export type StoredDay = { id: number; hasVisits: 0 | 1 };

export type LostDay = SiteDay & { id: number };

/**
 * Lists sealed days of the database file that no server has: they were deleted after the file was backed up. `found`
 * has the days on all servers.
 */
export function listLostDays(db: Db, found: readonly StoredDay[]): LostDay[] {
  const ids = new Set(found.flatMap(({ id, hasVisits }) => (hasVisits === 0 ? [id] : [])));
  return listStored(db).filter(({ id }) => !ids.has(id));
}

/**
 * Makes totals-only days of sealed days whose visits were deleted after the backup of the file, because their retention
 * had ended. Otherwise answers with filters would count nothing on these days, without a notice.
 */
export function noteDeletedVisits(db: Db, found: readonly StoredDay[]): void {
  const ids = new Set(found.flatMap(({ id, hasVisits }) => (hasVisits === 1 ? [id] : [])));
  for (const { id, hasHits } of listStored(db)) if (hasHits === 1 && !ids.has(id)) setSumsOnly(db, id);
}

/**
 * True if the database file is an old backup. The file always notes a beat before a server gets it. So a server with a
 * higher beat shows that the file is old.
 */
export function isOlder(db: Db, holdings: readonly FoundHolding[]): boolean {
  const { name, beat = 0 } = findInstallation(db) ?? {};
  return holdings.some(({ holding }) => holding.marks.some((mark) => mark.installation === name && mark.beat > beat));
}
