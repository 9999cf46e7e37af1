// The table `import`. An import is `staged` while it is written, then `shown`. An import that failed or was removed is
// `gone`, until the sweep deletes its row.
//
// Invariant: either all days of an import are shown, or none. The current day stays open after an import, because more
// live hits will arrive.
//
// Example: with `--replace`, an import of today's hits hides earlier live hits of today. A `void_until` of 500 means
// that live hits up to id 500 do not count.
//
// Both engines and show-import.ts use this file.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';

/**
 * `openDay` is the day that was the current day of the site when the import ran. That day is not sealed immediately,
 * because more live hits will arrive. In a shown import, `openDay` is null if the import has no hits of that day. The
 * ledger also sets `openDay` to null when the day is sealed.
 */
export type ImportRow = {
  id: number;
  state: 'staged' | 'shown' | 'gone';
  startedAt: number;
  shownAt: number | null;
  openDay: number | null;
};

const FIELDS = 'id, state, started_at AS startedAt, shown_at AS shownAt, open_day AS openDay';

export const findImport = (db: Db, siteId: number, id: number): ImportRow | undefined =>
  db.one(`SELECT ${FIELDS} FROM import WHERE site_id = ? AND id = ?`, siteId, id);

export function findShownImport(db: Db, siteId: number, id: number): ImportRow | undefined {
  const found = findImport(db, siteId, id);
  return found?.state === 'shown' ? found : undefined;
}

export const listShownImports = (db: Db, siteId: number): ImportRow[] =>
  db.all(`SELECT ${FIELDS} FROM import WHERE site_id = ? AND state = 'shown' ORDER BY id`, siteId);

/**
 * Describes, as one text, which imports of all sites are shown. `daybook move` compares the texts from before and after
 * it copied the hits. If they differ, another command has changed which hits count.
 */
export const describeShownImports = (db: Db): string =>
  JSON.stringify(db.all("SELECT id, open_day, void_until FROM import WHERE state = 'shown' ORDER BY id"));

/**
 * Lists the shown imports with hits of an open day, for the days from `from` to the day before `to`. An import may have
 * replaced live hits: live hits with an id up to `voidUntil` do not count.
 */
export const listOpenImports = (
  db: Db,
  siteId: number,
  from: number,
  to: number,
): { id: number; day: number; voidUntil: number | null }[] =>
  db.all(
    `SELECT id, open_day AS day, void_until AS voidUntil FROM import
     WHERE site_id = ? AND open_day >= ? AND open_day < ? AND state = 'shown' ORDER BY id`,
    siteId,
    from,
    to,
  );

type NewImport = { now: number; today: number; timeZone?: string };

export function addImport(db: Db, siteId: number, { now, today, timeZone = UTC }: NewImport): number {
  const sql = "INSERT INTO import (site_id, state, started_at, open_day, time_zone) VALUES (?, 'staged', ?, ?, ?)";
  return db.run(sql, siteId, now, today, timeZone).id;
}

export const listImportZones = (db: Db, siteId: number): Map<number, string> =>
  new Map(
    db
      .all<{ id: number; timeZone: string }>('SELECT id, time_zone AS timeZone FROM import WHERE site_id = ?', siteId)
      .map(({ id, timeZone }) => [id, timeZone]),
  );

/** Finds the highest id of a live hit that an import has replaced. Returns 0 if no import has replaced live hits. */
export const findLastVoid = (db: Db): number =>
  db.one<{ last: number | null }>('SELECT max(void_until) AS last FROM import')?.last ?? 0;

type ShownImport = { id: number; now: number; openDay: number | null; voidUntil: number | null };

/**
 * Shows an import. Live hits of `openDay` with an id up to `voidUntil` no longer count, because the import replaces
 * them.
 */
export const showImportRow = (db: Db, { id, now, openDay, voidUntil }: ShownImport): void => {
  const sql = "UPDATE import SET state = 'shown', shown_at = ?, open_day = ?, void_until = ? WHERE id = ?";
  db.run(sql, now, openDay, voidUntil, id);
};

/**
 * Stores that a day was sealed, together with its imported hits. From then on, imports with hits of this day have no
 * open day.
 */
export const closeImports = (db: Db, siteId: number, day: number): void => {
  const sql =
    "UPDATE import SET open_day = NULL, void_until = NULL WHERE site_id = ? AND open_day = ? AND state = 'shown'";
  db.run(sql, siteId, day);
};

/**
 * Stores that a day was sealed on a cluster, together with its imported hits. From then on, no import hides live hits
 * of this day. The imports keep their open day. If an import is hidden later, `hideImport` needs its open day, and
 * leaves the sealed day as it is.
 */
export const endReplacing = (db: Db, siteId: number, day: number): void => {
  const sql = "UPDATE import SET void_until = NULL WHERE site_id = ? AND open_day = ? AND state = 'shown'";
  db.run(sql, siteId, day);
};

export const markImportGone = (db: Db, siteId: number, id: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE site_id = ? AND id = ?", siteId, id);
};

/**
 * Gives up imports that were started before the time `before` and are still staged. The sweep deletes these imports.
 */
export const abandonStagedImports = (db: Db, before: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE state = 'staged' AND started_at < ?", before);
};

/**
 * Deletes up to `most` imports: imports that are `gone`, and staged imports that were started before `startedBefore`.
 * Returns how many were deleted, so that the caller knows whether to call again.
 */
export const removeDeadImports = (db: Db, startedBefore: number, most: number): number =>
  db.run(
    `DELETE FROM import WHERE id IN
       (SELECT id FROM import WHERE state = 'gone' OR (state = 'staged' AND started_at < ?) LIMIT ?)`,
    startedBefore,
    most,
  ).changes;

export const removeSiteImports = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM import WHERE id IN (SELECT id FROM import WHERE site_id = ? LIMIT ?)', siteId, most).changes;

export const removeEndedImports = (db: Db, siteId: number): void => {
  db.run("DELETE FROM import WHERE site_id = ? AND state <> 'staged'", siteId);
};

/** Finds the highest id that an import has ever had, even if that import was deleted. */
export const findLastImportId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'import'")?.id ?? 0;

/**
 * Makes all later imports get ids above `last`. A cluster may have rows of imports up to `last`. If a new import got
 * one of these ids, those rows would count for the new import. Call this function inside a transaction.
 */
export function skipImportIds(db: Db, last: number): void {
  db.run("DELETE FROM sqlite_sequence WHERE name = 'import'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('import', ?)", last);
}

/** Returns whether an import is running. After a crash the result stays true, until the import is given up. */
export const isBeingImported = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM import WHERE id = ? AND state = 'staged'", id) !== undefined;

/**
 * Returns true if the import with this id failed or was removed. Then its rows on the servers can be deleted. Returns
 * false for an id that this database file never used, because the rows may belong to another database file.
 */
export const isImportOver = (db: Db, id: number): boolean =>
  db.one(
    `SELECT 1 FROM sqlite_sequence WHERE name = 'import' AND seq >= ?
     AND NOT EXISTS (SELECT 1 FROM import WHERE id = ? AND state <> 'gone')`,
    id,
    id,
  ) !== undefined;

/** Returns whether an import that may have hits of this open day is running. Queries must not see its hits yet. */
export const isDayImported = (db: Db, siteId: number, day: number): boolean =>
  db.one("SELECT 1 FROM import WHERE site_id = ? AND open_day = ? AND state = 'staged'", siteId, day) !== undefined;

/** Returns whether an import of any site was started after the time `startedAfter` and is still staged. */
export const isAnyImported = (db: Db, startedAfter: number): boolean =>
  db.one("SELECT 1 FROM import WHERE state = 'staged' AND started_at > ? LIMIT 1", startedAfter) !== undefined;

/**
 * Forgets which live hits imports have replaced, because the caller deletes these hits. Call this function inside a
 * transaction.
 */
export const forgetReplaced = (db: Db): void => {
  db.run('UPDATE import SET void_until = NULL WHERE void_until IS NOT NULL');
};
