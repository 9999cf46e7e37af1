// Finds past days that the database file shows, but whose stored visits were deleted from the cluster. That happens if
// the file is restored from a backup. A site or an import may have been deleted since the backup.
//
// Invariant: a day without rows on any server counts in no answer. Otherwise its totals, which are in the database
// file, would count, but its pages and sources would be missing.
//
// Example: the backup was made at 02:00, an import was deleted at 10:00, and the file was restored at 11:00. The file
// says that the days of the import are shown, but no server has visits of these days. connect.ts and upkeep/adopt.ts
// use this file.
import { listWithVisits, type SiteDay } from '../../catalog/sealed-days.ts';
import { findInstallation } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import type { FoundHolding } from './ownership.ts';

/**
 * SQL for the ids of all past days whose visits a server has stored. The table `tally` has counts of each day with
 * visits.
 */
export const SELECT_IDS = 'SELECT DISTINCT slice AS id FROM tally';

export type LostDay = SiteDay & { id: number };

/**
 * Lists past days of the database file whose stored visits no ClickHouse server has: they were deleted after the file
 * was backed up. `found` has the ids of the days on all servers.
 */
export function listLostDays(db: Db, found: readonly { id: number }[]): LostDay[] {
  const ids = new Set(found.map(({ id }) => id));
  return listWithVisits(db).filter(({ id }) => !ids.has(id));
}

/**
 * True if the database file is an old backup. Each server has a mark with a number (beat) that grows each minute. The
 * file always notes a beat before a server gets it. So a server with a higher beat shows that the file is old.
 */
export function isOlder(db: Db, holdings: readonly FoundHolding[]): boolean {
  const { name, beat = 0 } = findInstallation(db) ?? {};
  return holdings.some(({ holding }) => holding.marks.some((mark) => mark.installation === name && mark.beat > beat));
}
