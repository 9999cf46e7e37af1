// The states of a sealed day, and every change of them. A sealed day is a past day of a site in packed form, which
// queries read fast.
//
// A row of `sealed_day` is one sealed day of a site. Its state is `staged` while the day is written. Then it is
// `shown`: queries read the day. The state is `reopened` when new hits for the day arrive. When another row replaces
// the row, the state is `gone`. A nightly cleaning, the sweep, deletes such rows.
//
// Invariant: queries read only days with the state `shown`. No other file changes states. `sealed-days.ts` reads the
// shown days.
//
// Example: an import has hits of a day that is already sealed. The import writes a second row with the state `staged`.
// One transaction then makes the first row `gone` and the second row `shown`. Both engines (SQLite and ClickHouse) use
// this file.

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

/**
 * Adds a sealed day (a past day in its packed form) with the state `staged`. It is being written, and queries do not
 * read it yet.
 */
export const addStaged = (
  db: Db,
  { siteId, day, slice, importId, hasHits, totals, unknown = [], now }: StagedDay,
): number => {
  const sums = TOTALS.map((name) => totals[name]);
  return db.run(INSERT, siteId, day, importId, now, hasHits ? 1 : 0, slice, unknown.join(' '), ...sums).id;
};

/**
 * Sets the totals of a day before queries can see it. `after` is the id of the last hit that the sealed day (a packed
 * past day) contains. Hits with a higher id arrived later.
 */
export const setTotals = (db: Db, id: number, totals: Totals, after: number): void => {
  const sql = `UPDATE sealed_day SET after_id = ?, ${TOTALS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
  db.run(sql, after, ...TOTALS.map((name) => totals[name]), id);
};

/**
 * Finds the highest id that a sealed day (a packed past day) has ever had. New days get higher ids, so an id is never
 * used twice.
 */
export const findLastDayId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'sealed_day'")?.id ?? 0;

/**
 * Tells whether this file has a sealed day (a packed past day) with this id. It may also be replaced, or not be
 * complete yet.
 */
export const isDayKnown = (db: Db, id: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE id = ?', id) !== undefined;

/**
 * Makes all later sealed days (packed past days) get ids above `last`. A cluster may have days with lower ids that this
 * database file does not know. They must not count as new days. Call it inside a transaction.
 */
export function skipDayIds(db: Db, last: number): void {
  if (last > findLastDayId(db)) db.run('INSERT OR IGNORE INTO unknown_day (last_id) VALUES (?)', last);
  db.run("DELETE FROM sqlite_sequence WHERE name = 'sealed_day'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('sealed_day', ?)", last);
}

/**
 * Stores the highest id of each gap between ids. A gap comes from removed days. A server of the cluster may have missed
 * their deletion and still have their rows. Queries must not count these rows.
 */
export const noteRemovedDays = (db: Db): void => {
  db.run(`INSERT OR IGNORE INTO unknown_day (last_id) SELECT id - 1 FROM sealed_day AS next
    WHERE id > 1 AND NOT EXISTS (SELECT 1 FROM sealed_day WHERE id = next.id - 1)`);
};

export const showDay = (db: Db, id: number): void => {
  db.run("UPDATE sealed_day SET state = 'shown' WHERE id = ?", id);
};

/**
 * Makes a sealed day (a packed past day) visible to queries, and stores when that was. The single hits of the day are
 * deleted later, because the sealed day contains them.
 */
export const showDayAt = (db: Db, id: number, now: number): void => {
  db.run("UPDATE sealed_day SET state = 'shown', staged_at = ? WHERE id = ?", now, id);
};

const UNSWEPT = "after_id > 0 AND state IN ('shown', 'gone') AND staged_at <= ?";

/**
 * Lists days that became visible by the time `until`, and whose single hits may still be stored. Such hits are counted
 * in the sealed day (a packed past day), so they can be deleted.
 */
export const listUnswept = (db: Db, until: number): (SiteDay & { id: number; after: number })[] =>
  db.all(
    `SELECT id, site_id AS siteId, day, after_id AS after FROM sealed_day WHERE ${UNSWEPT} ORDER BY day, site_id`,
    until,
  );

/**
 * Finds the highest id among hits that are already counted in a sealed day (a packed past day). They may still be
 * stored as single hits.
 */
export const findLastClosed = (db: Db): number =>
  db.one<{ last: number | null }>('SELECT max(after_id) AS last FROM sealed_day WHERE after_id > 0')?.last ?? 0;

/**
 * Stores that the single hits of a sealed day (a packed past day) are deleted. A hit of this day that is found from now
 * on arrived later, so it counts.
 */
export const noteSwept = (db: Db, id: number): void => {
  db.run('UPDATE sealed_day SET after_id = 0 WHERE id = ?', id);
};

/**
 * SQL that decides what `after_id` becomes when a day is given up. If queries could see the day, its hits up to
 * `after_id` stay not counted as single hits. If the day was never visible, its hits still count, so `after_id` becomes
 * NULL.
 */
const AFTER_IF_SHOWN = "after_id = CASE state WHEN 'shown' THEN after_id END";

/**
 * Gives up days that were written before a time and never became visible, for example because the program was killed.
 * They are deleted later.
 */
export const abandonStagedDays = (db: Db, before: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = NULL WHERE state = 'staged' AND staged_at < ?", before);
};

/**
 * Stores that the hits of a day, up to the id `after`, make no visit. They are only heartbeats (messages that a page is
 * still visible). They do not count, and are deleted later.
 */
export const markDayEmpty = (db: Db, id: number, after: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone', after_id = ? WHERE id = ?", after, id);
};

export const markDayGone = (db: Db, id: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE id = ?`, id);
};

const OF_IMPORT = 'site_id = ? AND import_id = ?';
const STAGED = `SELECT day FROM sealed_day WHERE ${OF_IMPORT} AND state = 'staged'`;
/**
 * Selects the visible days that an import will replace. The import has written a day with the same date, which is still
 * `staged` (not visible).
 */
const REPLACED = `${SHOWN} AND day IN (${STAGED})`;

export const listStaged = (db: Db, siteId: number, importId: number): number[] =>
  db.all<{ day: number }>(`${STAGED} ORDER BY day`, siteId, importId).map(({ day }) => day);

export const markReplacedGone = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone' WHERE ${REPLACED}`, siteId, siteId, importId);
};

export const showImported = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'shown' WHERE ${OF_IMPORT} AND state = 'staged'`, siteId, importId);
};

/** Hides the sealed days (packed past days) of an import from queries. The next cleaning deletes them. */
export const markImportedDaysGone = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone', ${AFTER_IF_SHOWN} WHERE ${OF_IMPORT}`, siteId, importId);
};

/**
 * Lists days that queries could see once, and that were then replaced or removed. Their hits do not count, but may
 * still be stored.
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
 * Lists the ids of a site's sealed days (packed past days) that queries must not count. Also lists ids of removed days
 * that a server of the cluster may still have.
 */
export const listUnshown = (db: Db, siteId: number): number[] =>
  db
    .all<{ id: number }>(
      "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'shown' UNION ALL SELECT last_id FROM unknown_day",
      siteId,
    )
    .map(({ id }) => id);

/**
 * Opens a sealed day (a packed past day) again, because new hits for it arrived. `after` is the id of the last hit that
 * the sealed day contains. Gives false if only the totals of the day are stored, because new hits cannot be added to
 * them.
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

/**
 * One of the rows of a large day that was opened again because new hits arrived. A hit with an id above `after` is not
 * contained in the sealed day (a packed past day).
 */
export type ReopenedDay = SealedDay & { slice: number; after: number };

export const listReopened = (db: Db, siteId: number, day: number): ReopenedDay[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, slice, after_id AS after FROM sealed_day
     WHERE site_id = ? AND day = ? AND state = 'reopened' ORDER BY slice`,
    siteId,
    day,
  );

/**
 * Counts the hits that a sealed day (a packed past day) contains. `after` is the id of the last of these hits; hits
 * that arrived later have higher ids.
 */
export const countSealedHits = (db: Db, siteId: number, day: number): { hits: number; after: number } =>
  db.one(
    `SELECT coalesce(sum(pageviews + events), 0) AS hits, coalesce(max(after_id), 0) AS after FROM sealed_day
     WHERE site_id = ? AND day = ? AND state IN ('shown', 'reopened')`,
    siteId,
    day,
  ) ?? { hits: 0, after: 0 };

/**
 * Tells whether an import has replaced a day while it was open again. Then the site has a visible (`shown`) day of that
 * date.
 */
const IS_REPLACED = `EXISTS (SELECT 1 FROM sealed_day s WHERE s.site_id = d.site_id AND s.day = d.day AND s.state = 'shown')`;

/**
 * Finds a sealed day (a packed past day) that can be deleted. It may have been replaced or removed (`gone`), or an
 * import replaced it while it was open again. Or it was written long ago and never became visible to queries.
 */
export const findDeadDay = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    `SELECT id FROM sealed_day d WHERE state <> 'shown' AND
       CASE state WHEN 'gone' THEN 1 WHEN 'reopened' THEN ${IS_REPLACED} ELSE staged_at < ? END LIMIT 1`,
    stagedBefore,
  )?.id;

/**
 * Lists the days to delete, for an engine that stores days outside of this file. A replaced or removed day stays here
 * while its single hits are stored. Without its row, these hits would count.
 */
export const listDead = (db: Db): { id: number; siteId: number; at: number; wasShown: number }[] =>
  db.all(
    `SELECT id, site_id AS siteId, staged_at AS at, after_id IS NOT NULL AS wasShown FROM sealed_day
     WHERE state = 'gone' AND coalesce(after_id, 0) = 0 ORDER BY id`,
  );

export const findSiteDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? LIMIT 1', siteId)?.id;

/**
 * Finds a sealed day (a packed past day) of a site that is or was visible to queries. A `staged` day, which may still
 * be written, is left out.
 */
export const findShownDayId = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM sealed_day WHERE site_id = ? AND state <> 'staged' AND (state <> 'gone' OR after_id IS NOT NULL) LIMIT 1",
    siteId,
  )?.id;

export const listSiteDayIds = (db: Db, siteId: number): number[] =>
  db.all<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? ORDER BY id', siteId).map(({ id }) => id);

export const removeDay = (db: Db, id: number): void => {
  db.run('DELETE FROM sealed_day WHERE id = ?', id);
};

/**
 * Lists the sealed days (packed past days) of all sites that count. A day that is open again (`reopened`) counts too,
 * unless an import has replaced it.
 */
export const listHeld = (db: Db): (SealedDay & SiteDay & { slice: number; hasHits: 0 | 1 })[] =>
  db.all(
    `SELECT ${DAY_FIELDS}, site_id AS siteId, slice, has_hits AS hasHits FROM sealed_day d
     WHERE state = 'shown' OR (state = 'reopened' AND NOT ${IS_REPLACED}) ORDER BY site_id, day, slice`,
  );

/**
 * Makes reopened days visible (`shown`) again, when the days have moved to a cluster. A day is reopened when new hits
 * for it arrive. The cluster counts such hits beside the sealed day (a packed past day), so it needs no such state. Call
 * it inside a transaction.
 */
export function showAll(db: Db): void {
  db.run(`UPDATE sealed_day AS d SET state = 'gone' WHERE state = 'reopened' AND ${IS_REPLACED}`);
  db.run("UPDATE sealed_day SET state = iif(state = 'reopened', 'shown', state), after_id = 0");
}

/**
 * Stores that this program wrote all visible days in the format of its ledger, the engine on SQLite. Called after days
 * have moved from a cluster.
 */
export function showOwn(db: Db): void {
  db.run(`UPDATE sealed_day SET after_id = NULL, format = ${VERSION} WHERE state = 'shown'`);
}

export const removeGone = (db: Db): void => {
  db.run("DELETE FROM sealed_day WHERE state NOT IN ('shown', 'reopened')");
};
