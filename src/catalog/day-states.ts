// The states of a sealed day. A row of `sealed_day` is `staged` while the day is written, then `shown`. If new hits
// arrive for the day, the row becomes `reopened`. A row becomes `gone` when another row replaces it, when the day is
// removed, or when writing the day failed. The sweep deletes such a row later.
//
// Invariant: queries never count a `staged` or `gone` day. They count a `reopened` day like an open day, together with
// its new hits. No other file changes states.
//
// Example: an import has hits of a day that is already sealed. The import writes a second row with the state `staged`.
// One transaction then makes the first row `gone` and the second row `shown`. Both engines use this file.
// sealed-days.ts reads the shown days, day-ids.ts gives the ids, and swept-days.ts lists what the sweep deletes.

import type { UnknownSum } from '../stats/aggregates.ts';
import { TOTALS, type Totals } from '../stats/aggregates.ts';
import type { Db } from '../store/db.ts';
import { VERSION } from '../store/file/migrations.ts';
import { type Closed, DAY_FIELDS, type SealedDay, SHOWN, type SiteDay } from './sealed-days.ts';

type StagedDay = SiteDay & {
  slice: number;
  importId: number | null;
  hasHits: boolean;
  totals: Totals;
  unknown?: readonly UnknownSum[] | undefined;
  now: number;
};

const INSERT = `INSERT INTO sealed_day (site_id, day, import_id, state, staged_at, format, has_hits, slice, unknown, ${TOTALS.join(', ')})
  VALUES (?, ?, ?, 'staged', ?, ${VERSION}, ?, ?, ?, ${TOTALS.map(() => '?').join(', ')})`;

export const addStaged = (
  db: Db,
  { siteId, day, slice, importId, hasHits, totals, unknown = [], now }: StagedDay,
): number => {
  const sums = TOTALS.map((name) => totals[name]);
  return db.run(INSERT, siteId, day, importId, now, hasHits ? 1 : 0, slice, unknown.join(' '), ...sums).id;
};

/**
 * Sets the totals of a day before queries can see it. `after` is the id of the last hit in the sealed day. Later hits
 * have higher ids.
 */
export const setTotals = (db: Db, id: number, totals: Totals, after: number): void => {
  const sql = `UPDATE sealed_day SET after_id = ?, ${TOTALS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  db.run(sql, after, ...TOTALS.map((name) => totals[name]), id);
};

export const isStaged = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE id = ? AND state = 'staged'", id) !== undefined;

/**
 * Shows a staged day, or shows a reopened day again. If the hits of the staged day came late, `since` is the id of the
 * change that brought them. For hits that came in time, `since` is 0. A reopened day keeps its earlier `since`.
 */
export const showDay = (db: Db, id: number, since: number): void => {
  db.run("UPDATE sealed_day SET since = iif(state = 'staged', ?, since), state = 'shown' WHERE id = ?", since, id);
};

/**
 * Shows a sealed day, and stores the time at which this happens. The rows of its hits are deleted later, when no query
 * reads them any more.
 */
export const showDayAt = (db: Db, id: number, { now, since }: { now: number; since: number }): void => {
  db.run("UPDATE sealed_day SET state = 'shown', staged_at = ?, since = ? WHERE id = ?", now, since, id);
};

/**
 * SQL for `after_id` when a day becomes `gone`. If the day was shown, its rows up to `after_id` must not count, so
 * `after_id` stays. If the day was staged, its rows still count, so `after_id` becomes NULL. For a reopened day,
 * `after_id` also becomes NULL. Only the ledger reopens days, and only the cluster reads `after_id` of a `gone` day.
 */
const AFTER_IF_SHOWN = "after_id = CASE state WHEN 'shown' THEN after_id END";

/**
 * Gives up days that were staged before the time `before`, for example because the program was killed. The sweep
 * deletes these days.
 */
export const abandonStagedDays = (db: Db, before: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = NULL WHERE state = 'staged' AND staged_at < ?", before);
};

/**
 * Stores that a day has no visit, because its rows up to the id `after` are only heartbeats. These rows no longer
 * count.
 */
export const markDayEmpty = (db: Db, id: number, after: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = ? WHERE id = ?", after, id);
};

export const markDayGone = (db: Db, id: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE id = ?`, id);
};

export const markReopenedGone = (db: Db, siteId: number, day: number): void => {
  db.run(
    "UPDATE sealed_day SET state = 'gone', after_id = NULL WHERE site_id = ? AND day = ? AND state = 'reopened'",
    siteId,
    day,
  );
};

const OF_IMPORT = 'site_id = ? AND import_id = ?';
const STAGED = `SELECT day FROM sealed_day WHERE ${OF_IMPORT} AND state = 'staged'`;
export const listStaged = (db: Db, siteId: number, importId: number): number[] =>
  db.all<{ day: number }>(`${STAGED} ORDER BY day`, siteId, importId).map(({ day }) => day);

/**
 * Hides the days that an import replaces. For each of them, the import has a staged day of the same date. A replaced
 * day may also be `reopened`. One SQL statement hides all days. With one statement for each day, an import of ten years
 * held the write lock for seconds.
 */
export const markReplacedGone = (db: Db, siteId: number, importId: number): void => {
  const sql = `UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN}
    WHERE site_id = ? AND state IN ('shown', 'reopened') AND day IN (${STAGED})`;
  db.run(sql, siteId, siteId, importId);
};

/**
 * Hides the sealed days of a range, because they are deleted. One SQL statement hides all days, because one statement
 * for each day would take long.
 */
export const markDaysGone = (db: Db, siteId: number, { from, to }: { from: number; to: number }): void => {
  const sql = `UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN}
    WHERE site_id = ? AND state = 'shown' AND day >= ? AND day < ?`;
  db.run(sql, siteId, from, to);
};

/** Shows the days of an import. `since` is the number of the change that shows the import. */
export const showImported = (db: Db, siteId: number, importId: number, since: number): void => {
  const sql = `UPDATE sealed_day SET state = 'shown', since = ? WHERE ${OF_IMPORT} AND state = 'staged'`;
  db.run(sql, since, siteId, importId);
};

/** Hides the sealed days of an import from queries. The sweep deletes these days. */
export const markImportedDaysGone = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE ${OF_IMPORT}`, siteId, importId);
};

/**
 * Lists the `gone` days whose hits may still be stored as rows, although these rows no longer count. The days were
 * replaced or removed after queries could see them, or they had only heartbeats.
 */
export const listGone = (db: Db, siteId: number, from: number, to: number): Closed[] =>
  db.all(
    `SELECT day, after_id AS after, staged_at AS at FROM sealed_day
     WHERE site_id = ? AND state = 'gone' AND after_id > 0 AND day >= ? AND day < ?`,
    siteId,
    from,
    to,
  );

/**
 * Lists the ids of the sealed days of a site that queries must not count. Also lists ids of removed days, because a
 * server of the cluster may still have their rows. A query names its days as ranges of ids, and divides a range at each
 * listed id. If days with consecutive ids were removed, only the highest of these ids is listed (`noteRemovedDays`).
 */
export const listUnshown = (db: Db, siteId: number): number[] =>
  db
    .all<{ id: number }>(
      "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'shown' UNION ALL SELECT last_id FROM unknown_day",
      siteId,
    )
    .map(({ id }) => id);

/**
 * Opens a sealed day again, because new hits arrived. `after` is the id of the last hit in the sealed day. `change` is
 * the number of the change that the late hits made. Returns false if the day is not sealed, or if it is a totals-only
 * day, because hits cannot be added to totals.
 */
export const reopenDay = (
  db: Db,
  siteId: number,
  day: number,
  { after, change = 0 }: { after: number; change?: number },
): boolean =>
  db.run(
    `UPDATE sealed_day SET state = 'reopened', after_id = ?, reopened_by = ? WHERE ${SHOWN} AND day = ? AND NOT EXISTS (
       SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND has_hits = 0)`,
    after,
    change,
    siteId,
    day,
    siteId,
    day,
  ).changes > 0;

/**
 * A slice of a reopened day. A hit with an id above `after` is not in the slice. `reopenedBy` is the number of the
 * change that the late hits made.
 */
export type ReopenedDay = SealedDay & { slice: number; after: number; reopenedBy: number };

export const listReopened = (db: Db, siteId: number, day: number): ReopenedDay[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, slice, after_id AS after, reopened_by AS reopenedBy FROM sealed_day
     WHERE site_id = ? AND day = ? AND state = 'reopened' ORDER BY slice`,
    siteId,
    day,
  );

/** Counts the hits in a sealed day. `after` is the id of the last of these hits. */
export const countSealedHits = (db: Db, siteId: number, day: number): { hits: number; after: number } =>
  db.one(
    `SELECT coalesce(sum(pageviews + events), 0) AS hits, coalesce(max(after_id), 0) AS after FROM sealed_day
     WHERE site_id = ? AND day = ? AND state IN ('shown', 'reopened')`,
    siteId,
    day,
  ) ?? { hits: 0, after: 0 };

/**
 * SQL that is true if an import has replaced the reopened day `d`. Then the site has a shown day of that date.
 */
export const IS_REPLACED = `EXISTS (SELECT 1 FROM sealed_day s WHERE s.site_id = d.site_id AND s.day = d.day AND s.state = 'shown')`;

/** Lists the sealed days that count, for all sites. A reopened day counts too, if no import has replaced it. */
export const listHeld = (db: Db): (SealedDay & SiteDay & { slice: number; hasHits: 0 | 1 })[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, site_id AS siteId, slice, has_hits AS hasHits FROM sealed_day d
     WHERE state = 'shown' OR (state = 'reopened' AND NOT ${IS_REPLACED}) ORDER BY site_id, day, slice`,
  );

/**
 * Shows reopened days again after they have moved to a cluster. A cluster never reopens a day: it counts late hits as
 * rows, and the day stays sealed. `after_id` becomes 0: the cluster has no rows of these sealed days to delete. Call
 * this function inside a transaction.
 */
export function showAll(db: Db): void {
  db.run(`UPDATE sealed_day AS d SET state = 'gone' WHERE state = 'reopened' AND ${IS_REPLACED}`);
  db.run("UPDATE sealed_day SET state = iif(state = 'reopened', 'shown', state), after_id = 0");
}

/**
 * Stores that all shown days have the newest format: `VERSION`, the version of the database file. Call this function
 * after days have moved from a cluster into the database file, because the move writes columns in this format.
 */
export function showOwn(db: Db): void {
  db.run(`UPDATE sealed_day SET after_id = NULL, format = ${VERSION} WHERE state = 'shown'`);
}

/** Deletes the staged and `gone` days. Call this function after all other days have moved to the other engine. */
export const removeGone = (db: Db): void => {
  db.run("DELETE FROM sealed_day WHERE state NOT IN ('shown', 'reopened')");
};

export const listReopenedDays = (db: Db, siteId: number): number[] =>
  db
    .all<{ day: number }>("SELECT DISTINCT day FROM sealed_day WHERE site_id = ? AND state = 'reopened'", siteId)
    .map(({ day }) => day);
