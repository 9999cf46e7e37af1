// The rows of imports, and every change of their state.
//
// An import is `staged` while it is written, then `shown`, which makes it visible to queries. It is `gone` after it
// failed or was removed, until `sweep` deletes it.
//
// Invariant: an import is shown as a whole or not at all. Its past days are sealed at once; hits of the day that was
// open during the import stay open.
//
// Example: with `--replace` an import of today hides hits that were collected before it. A `void_until` of 500 says
// that hits up to id 500 do not count. Both engines and `show-import.ts` call this.

import { UTC } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';

/** `openDay` is the day that was open during the import, null if it has no hits of that day. */
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

/** Lists the shown imports with an open day in a range. Collected hits of that day up to `voidUntil` do not count. */
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

/** Finds the zones of a site's imports, by the id of the import. */
export const listImportZones = (db: Db, siteId: number): Map<number, string> =>
  new Map(
    db
      .all<{ id: number; timeZone: string }>('SELECT id, time_zone AS timeZone FROM import WHERE site_id = ?', siteId)
      .map(({ id, timeZone }) => [id, timeZone]),
  );

type ShownImport = { id: number; now: number; openDay: number | null; voidUntil: number | null };

/** Makes an import visible to queries. It replaces the collected hits of its open day up to the id `voidUntil`. */
export const showImportRow = (db: Db, { id, now, openDay, voidUntil }: ShownImport): void => {
  const sql = "UPDATE import SET state = 'shown', shown_at = ?, open_day = ?, void_until = ? WHERE id = ?";
  db.run(sql, now, openDay, voidUntil, id);
};

/** Notes that a day was sealed together with hits of imports, so these are not open any more. */
export const closeImports = (db: Db, siteId: number, day: number): void => {
  const sql =
    "UPDATE import SET open_day = NULL, void_until = NULL WHERE site_id = ? AND open_day = ? AND state = 'shown'";
  db.run(sql, siteId, day);
};

export const markImportGone = (db: Db, siteId: number, id: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE site_id = ? AND id = ?", siteId, id);
};

/** Marks imports gone that were started before a moment and never shown. */
export const abandonStagedImports = (db: Db, before: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE state = 'staged' AND started_at < ?", before);
};

/** Deletes up to `most` imports that are gone, or were started before a moment and never shown. Gives their number. */
export const removeDeadImports = (db: Db, startedBefore: number, most: number): number =>
  db.run(
    `DELETE FROM import WHERE id IN
       (SELECT id FROM import WHERE state = 'gone' OR (state = 'staged' AND started_at < ?) LIMIT ?)`,
    startedBefore,
    most,
  ).changes;

export const removeSiteImports = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM import WHERE id IN (SELECT id FROM import WHERE site_id = ? LIMIT ?)', siteId, most).changes;

/** Deletes the imports of a site that are shown or gone. */
export const removeEndedImports = (db: Db, siteId: number): void => {
  db.run("DELETE FROM import WHERE site_id = ? AND state <> 'staged'", siteId);
};

/** Tells whether an import is running, or was interrupted lately. */
export const isBeingImported = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM import WHERE id = ? AND state = 'staged'", id) !== undefined;

/** Whether this file had an import that has failed or was removed. */
export const isImportOver = (db: Db, id: number): boolean =>
  db.one(
    `SELECT 1 FROM sqlite_sequence WHERE name = 'import' AND seq >= ?
     AND NOT EXISTS (SELECT 1 FROM import WHERE id = ? AND state <> 'gone')`,
    id,
    id,
  ) !== undefined;

/** Whether an import with an open day is under way. Its rows of that day wait to be shown. */
export const isDayImported = (db: Db, siteId: number, day: number): boolean =>
  db.one("SELECT 1 FROM import WHERE site_id = ? AND open_day = ? AND state = 'staged'", siteId, day) !== undefined;

/** Tells whether any site's import that began after a moment is running or was interrupted. */
export const isAnyImported = (db: Db, startedAfter: number): boolean =>
  db.one("SELECT 1 FROM import WHERE state = 'staged' AND started_at > ? LIMIT 1", startedAfter) !== undefined;

/** Forgets which hits imports have replaced, once these are deleted. Call it inside a transaction. */
export const forgetReplaced = (db: Db): void => {
  db.run('UPDATE import SET void_until = NULL WHERE void_until IS NOT NULL');
};
