// The rows of the table `import`, one for each import, and every change of their state.
//
// An import is `staged` while it is written. Then it is `shown`, which makes it visible to queries. An import that
// failed or was removed is `gone`, until a nightly cleaning, the sweep, deletes its row.
//
// Invariant: either all days of an import are shown, or none. Imported hits of past days are sealed (packed) at once.
// Imported hits of the current day stay open, because live hits follow.
//
// Example: with `--replace`, an import of today's hits hides the hits that were collected today before the import. A
// `void_until` of 500 means that collected hits up to id 500 do not count. Both engines and `show-import.ts` use this
// file.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';

/**
 * An import. `openDay` is the site's current day at the import, or null if the file has no hits of that day. This day
 * is not sealed (packed) at once, because live hits follow.
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

export const listShownImports = (db: Db, siteId: number): ImportRow[] =>
  db.all(`SELECT ${FIELDS} FROM import WHERE site_id = ? AND state = 'shown' ORDER BY id`, siteId);

/**
 * Lists the visible imports with hits of a day that is not sealed (packed) yet. Such an import may have replaced live
 * hits of that day: those with an id up to `voidUntil` do not count.
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

type ShownImport = { id: number; now: number; openDay: number | null; voidUntil: number | null };

/**
 * Makes an import visible to queries. Live hits of its day `openDay` with an id up to `voidUntil` do not count any
 * more, because the import replaces them.
 */
export const showImportRow = (db: Db, { id, now, openDay, voidUntil }: ShownImport): void => {
  const sql = "UPDATE import SET state = 'shown', shown_at = ?, open_day = ?, void_until = ? WHERE id = ?";
  db.run(sql, now, openDay, voidUntil, id);
};

/**
 * Stores that a day was sealed (packed), together with its imported hits. The imports of that day need no special
 * treatment any more.
 */
export const closeImports = (db: Db, siteId: number, day: number): void => {
  const sql =
    "UPDATE import SET open_day = NULL, void_until = NULL WHERE site_id = ? AND open_day = ? AND state = 'shown'";
  db.run(sql, siteId, day);
};

export const markImportGone = (db: Db, siteId: number, id: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE site_id = ? AND id = ?", siteId, id);
};

/** Gives up imports that were started before a time and never became visible. They are deleted later. */
export const abandonStagedImports = (db: Db, before: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE state = 'staged' AND started_at < ?", before);
};

/**
 * Deletes up to `most` imports that failed, were removed, or were started before a time and never became visible. Gives
 * how many were deleted, so that the caller can go on.
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

/** Tells whether an import is running. After a crash this stays true for some time, until the import is given up. */
export const isBeingImported = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM import WHERE id = ? AND state = 'staged'", id) !== undefined;

/**
 * Tells whether this database file had an import with this id that failed or was removed. Rows of such an import can be
 * deleted. Rows with an id that this file never used may belong to another server.
 */
export const isImportOver = (db: Db, id: number): boolean =>
  db.one(
    `SELECT 1 FROM sqlite_sequence WHERE name = 'import' AND seq >= ?
     AND NOT EXISTS (SELECT 1 FROM import WHERE id = ? AND state <> 'gone')`,
    id,
    id,
  ) !== undefined;

/**
 * Tells whether an import with hits of this day is running. Its hits are stored already, but queries must not see them
 * yet.
 */
export const isDayImported = (db: Db, siteId: number, day: number): boolean =>
  db.one("SELECT 1 FROM import WHERE site_id = ? AND open_day = ? AND state = 'staged'", siteId, day) !== undefined;

/** Tells whether an import of any site that was started after a time is running or was interrupted. */
export const isAnyImported = (db: Db, startedAfter: number): boolean =>
  db.one("SELECT 1 FROM import WHERE state = 'staged' AND started_at > ? LIMIT 1", startedAfter) !== undefined;

/**
 * Forgets which live hits were replaced by imports, because the caller deletes these hits. Call it inside a
 * transaction.
 */
export const forgetReplaced = (db: Db): void => {
  db.run('UPDATE import SET void_until = NULL WHERE void_until IS NOT NULL');
};
