// The states of a sealed day, and every change of them.
//
// A day is `staged` while it is made, then `shown`, which makes it visible to queries. It is `reopened` while hits come
// to it again. It is `gone` after another row took its place, until `sweep` deletes it.
//
// Invariant: queries read shown days only, and states change in this file only. `sealed-days.ts` reads what is shown.
//
// Example: an import of a day that is sealed already stages a second row. One transaction then makes the first row
// `gone` and the second `shown`. Both engines call this.

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

/** Adds a day that is not visible to queries yet. */
export const addStaged = (
  db: Db,
  { siteId, day, slice, importId, hasHits, totals, unknown = [], now }: StagedDay,
): number => {
  const sums = TOTALS.map((name) => totals[name]);
  return db.run(INSERT, siteId, day, importId, now, hasHits ? 1 : 0, slice, unknown.join(' '), ...sums).id;
};

/** Sets the totals of a staged day, and the id of its last row. */
export const setTotals = (db: Db, id: number, totals: Totals, after: number): void => {
  const sql = `UPDATE sealed_day SET after_id = ?, ${TOTALS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  db.run(sql, after, ...TOTALS.map((name) => totals[name]), id);
};

/** Finds the highest id that any day ever had. */
export const findLastDayId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'sealed_day'")?.id ?? 0;

/** Tells whether this file has a sealed day of an id, in any state. */
export const isDayKnown = (db: Db, id: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE id = ?', id) !== undefined;

/** Gives no day an id up to this one any more: a cluster may have days that this file does not know. Call it inside a transaction. */
export function skipDayIds(db: Db, last: number): void {
  if (last > findLastDayId(db)) db.run('INSERT OR IGNORE INTO unknown_day (last_id) VALUES (?)', last);
  db.run("DELETE FROM sqlite_sequence WHERE name = 'sealed_day'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('sealed_day', ?)", last);
}

/** Makes a staged day visible to queries. */
export const showDay = (db: Db, id: number): void => {
  db.run("UPDATE sealed_day SET state = 'shown' WHERE id = ?", id);
};

/** Makes a staged day visible and notes the time. Its rows are deleted some time after that. */
export const showDayAt = (db: Db, id: number, now: number): void => {
  db.run("UPDATE sealed_day SET state = 'shown', staged_at = ? WHERE id = ?", now, id);
};

const UNSWEPT = "after_id > 0 AND state IN ('shown', 'gone') AND staged_at <= ?";

/** Lists the days that were shown up to a moment and may still have rows. */
export const listUnswept = (db: Db, until: number): (SiteDay & { id: number; after: number })[] =>
  db.all(
    `SELECT id, site_id AS siteId, day, after_id AS after FROM sealed_day WHERE ${UNSWEPT} ORDER BY day, site_id`,
    until,
  );

/** Finds the highest number of a sealed row that may still be there. */
export const findLastClosed = (db: Db): number =>
  db.one<{ last: number | null }>('SELECT max(after_id) AS last FROM sealed_day WHERE after_id > 0')?.last ?? 0;

/** Notes that the rows of a day are deleted. A row of that day came later and counts. */
export const noteSwept = (db: Db, id: number): void => {
  db.run('UPDATE sealed_day SET after_id = 0 WHERE id = ?', id);
};

/** A day that was never shown has taken no rows, so they still count: its `after_id` becomes NULL. */
const AFTER_IF_SHOWN = "after_id = CASE state WHEN 'shown' THEN after_id END";

/** Leaves to `sweep` the days that were staged before a moment and never shown. */
export const abandonStagedDays = (db: Db, before: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = NULL WHERE state = 'staged' AND staged_at < ?", before);
};

/** Notes that the rows of a staged day up to one make no visit. They do not count, and `sweep` deletes them. */
export const markDayEmpty = (db: Db, id: number, after: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = ? WHERE id = ?", after, id);
};

/** Marks a staged day for deletion by `sweep`. */
export const markDayGone = (db: Db, id: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE id = ?`, id);
};

const OF_IMPORT = 'site_id = ? AND import_id = ?';
const STAGED = `SELECT day FROM sealed_day WHERE ${OF_IMPORT} AND state = 'staged'`;
/** The visible days that an import replaces. */
const REPLACED = `${SHOWN} AND day IN (${STAGED})`;

/** Lists the days of an import that are not visible yet, in order. */
export const listStaged = (db: Db, siteId: number, importId: number): number[] =>
  db.all<{ day: number }>(`${STAGED} ORDER BY day`, siteId, importId).map(({ day }) => day);

export const markReplacedGone = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone' WHERE ${REPLACED}`, siteId, siteId, importId);
};

export const showImported = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'shown' WHERE ${OF_IMPORT} AND state = 'staged'`, siteId, importId);
};

/** Hides the sealed days of an import and marks them for deletion by `sweep`. */
export const markImportedDaysGone = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE ${OF_IMPORT}`, siteId, importId);
};

/** Lists shown days that are gone now. Their rows do not count, and may still be there. */
export const listGone = (db: Db, siteId: number, from: number, to: number): Closed[] =>
  db.all(
    `SELECT day, after_id AS after, staged_at AS at FROM sealed_day
     WHERE site_id = ? AND state = 'gone' AND after_id > 0 AND day >= ? AND day < ?`,
    siteId,
    from,
    to,
  );

/** The ids of a site's sealed days that do not count, and one among the days that this file does not know. */
export const listUnshown = (db: Db, siteId: number): number[] =>
  db
    .all<{ id: number }>(
      "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'shown' UNION ALL SELECT last_id FROM unknown_day",
      siteId,
    )
    .map(({ id }) => id);

/**
 * Opens all slices of a sealed day again. `after` is the id of the last hit in them. Gives false for a totals-only day.
 */
export const reopenDay = (db: Db, siteId: number, day: number, after: number): boolean =>
  db.run(
    `UPDATE sealed_day SET state = 'reopened', after_id = ? WHERE ${SHOWN} AND day = ? AND NOT EXISTS (
       SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND has_hits = 0)`,
    after,
    siteId,
    day,
    siteId,
    day,
  ).changes > 0;

/** A slice of a reopened day. Later hits of the day have ids above `after`. */
export type ReopenedDay = SealedDay & { slice: number; after: number };

export const listReopened = (db: Db, siteId: number, day: number): ReopenedDay[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, slice, after_id AS after FROM sealed_day
     WHERE site_id = ? AND day = ? AND state = 'reopened' ORDER BY slice`,
    siteId,
    day,
  );

/** Counts the hits of a day's slices, and finds the id after which later hits begin. */
export const countSealedHits = (db: Db, siteId: number, day: number): { hits: number; after: number } =>
  db.one(
    `SELECT coalesce(sum(pageviews + events), 0) AS hits, coalesce(max(after_id), 0) AS after FROM sealed_day
     WHERE site_id = ? AND day = ? AND state IN ('shown', 'reopened')`,
    siteId,
    day,
  ) ?? { hits: 0, after: 0 };

/** Tells that an import has replaced a reopened day: a shown day has its site and date. */
const IS_REPLACED = `EXISTS (SELECT 1 FROM sealed_day s WHERE s.site_id = d.site_id AND s.day = d.day AND s.state = 'shown')`;

/**
 * Finds a day to delete: one that is gone, one that was replaced while it was reopened, or one that was staged long ago
 * and never shown.
 */
export const findDeadDay = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    `SELECT id FROM sealed_day d WHERE state <> 'shown' AND
       CASE state WHEN 'gone' THEN 1 WHEN 'reopened' THEN ${IS_REPLACED} ELSE staged_at < ? END LIMIT 1`,
    stagedBefore,
  )?.id;

/**
 * Lists all days to delete with their sites, for an engine that keeps days outside of the file. A gone day stays until
 * its rows are deleted, because it says that these rows do not count.
 */
export const listDead = (db: Db): { id: number; siteId: number; at: number; wasShown: number }[] =>
  db.all(
    `SELECT id, site_id AS siteId, staged_at AS at, after_id IS NOT NULL AS wasShown FROM sealed_day
     WHERE state = 'gone' AND coalesce(after_id, 0) = 0 ORDER BY id`,
  );

export const findSiteDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? LIMIT 1', siteId)?.id;

/** Finds a shown or once shown day of a site. A staged day may still be written, and `sweep` deletes it later. */
export const findShownDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'staged' AND (state <> 'gone' OR after_id IS NOT NULL) LIMIT 1",
    siteId,
  )?.id;

/** Lists the ids of a site's days in any state. */
export const listSiteDayIds = (db: Db, siteId: number): number[] =>
  db.all<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? ORDER BY id', siteId).map(({ id }) => id);

export const removeDay = (db: Db, id: number): void => {
  db.run('DELETE FROM sealed_day WHERE id = ?', id);
};

/** Lists all sealed days of all sites that count, reopened ones too. */
export const listHeld = (db: Db): (SealedDay & SiteDay & { slice: number; hasHits: 0 | 1 })[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, site_id AS siteId, slice, has_hits AS hasHits FROM sealed_day d
     WHERE state = 'shown' OR (state = 'reopened' AND NOT ${IS_REPLACED}) ORDER BY site_id, day, slice`,
  );

/** Shows reopened days too, for an engine that counts later hits next to a sealed day. Call it inside a transaction. */
export function showAll(db: Db): void {
  db.run(`UPDATE sealed_day AS d SET state = 'gone' WHERE state = 'reopened' AND ${IS_REPLACED}`);
  db.run("UPDATE sealed_day SET state = iif(state = 'reopened', 'shown', state), after_id = 0");
}

/** Marks sealed days as made by this version's ledger. Call it inside a transaction. */
export function showOwn(db: Db): void {
  db.run(`UPDATE sealed_day SET after_id = NULL, format = ${VERSION} WHERE state = 'shown'`);
}

export const removeGone = (db: Db): void => {
  db.run("DELETE FROM sealed_day WHERE state NOT IN ('shown', 'reopened')");
};
