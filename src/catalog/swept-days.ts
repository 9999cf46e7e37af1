// Lists what the sweep must delete: sealed days in the state `gone`, and rows of hits that are also in a sealed day.
// Each engine has a sweep (ledger/upkeep/sweep.ts and cluster/upkeep/sweep.ts).
//
// Invariant: the record of a day is deleted after the rows of its hits. Without the record, these rows would count.
//
// Example: a day with 100,000 hits was sealed at 01:00. On a cluster, `listUnswept` lists the day, the sweep deletes
// the 100,000 rows, and `noteSwept` stores that they are deleted.

import type { Db } from '../store/db.ts';
import { IS_REPLACED } from './day-states.ts';
import { removeReducedTotals } from './reduced-days.ts';
import type { SiteDay } from './sealed-days.ts';

const UNSWEPT = "after_id > 0 AND state IN ('shown', 'gone') AND staged_at <= ?";

/**
 * Lists the days that were shown by the time `until`, and whose hits may still be stored as rows. The rows can be
 * deleted: either the sealed day has the hits, or the day is `gone` and its hits no longer count.
 */
export const listUnswept = (db: Db, until: number): (SiteDay & { id: number; after: number })[] =>
  db.all(
    `SELECT id, site_id AS siteId, day, after_id AS after FROM sealed_day WHERE ${UNSWEPT} ORDER BY day, site_id`,
    until,
  );

/** Finds the highest id of a hit that is in a sealed day and is still stored as a row. Returns 0 if there is none. */
export const findLastClosed = (db: Db): number =>
  db.one<{ last: number | null }>('SELECT max(after_id) AS last FROM sealed_day WHERE after_id > 0')?.last ?? 0;

/** Stores that the rows of a sealed day are deleted. Rows of this day that arrive later are new hits, so they count. */
export const noteSwept = (db: Db, id: number): void => {
  db.run('UPDATE sealed_day SET after_id = 0 WHERE id = ?', id);
};

/**
 * Finds a day that can be deleted: its state is `gone`, or an import has replaced a reopened day. A staged day can be
 * deleted too, if it was staged before `stagedBefore` and never shown.
 */
export const findDeadDay = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    `SELECT id FROM sealed_day d WHERE state <> 'shown' AND
       CASE state WHEN 'gone' THEN 1 WHEN 'reopened' THEN ${IS_REPLACED} ELSE staged_at < ? END LIMIT 1`,
    stagedBefore,
  )?.id;

/**
 * Lists the days to delete, for an engine that stores days outside of the database file. A day is left out while its
 * hits are still stored as rows. If its record were deleted, these rows would count again.
 */
export const listDead = (db: Db): { id: number; siteId: number; at: number; wasShown: number }[] =>
  db.all(
    `SELECT id, site_id AS siteId, staged_at AS at, after_id IS NOT NULL AS wasShown FROM sealed_day
     WHERE state = 'gone' AND coalesce(after_id, 0) = 0 ORDER BY id`,
  );

export const findSiteDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? LIMIT 1', siteId)?.id;

/**
 * Returns the id of one of the site's days that queries see now or saw earlier. Days that were never shown are left
 * out, because they are still staged or were given up. The cluster deletes a site's days one by one with this function.
 */
export const findShownDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'staged' AND (state <> 'gone' OR after_id IS NOT NULL) LIMIT 1",
    siteId,
  )?.id;

export const listSiteDayIds = (db: Db, siteId: number): number[] =>
  db.all<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? ORDER BY id', siteId).map(({ id }) => id);

export const removeDay = (db: Db, id: number): void => {
  removeReducedTotals(db, id);
  db.run('DELETE FROM sealed_day WHERE id = ?', id);
};
