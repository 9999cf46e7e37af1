import type { Db } from '../store/statements.ts';

/**
 * A file that was brought in: `staged` until all of it is there, then `shown`; `gone` where it was given up or taken out, until
 * it is swept. openDay is the day that was open then, null where nothing of that came along.
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

/** Those that brought something of days that were open, from one to before another. */
export const listOpenImports = (
  db: Db,
  siteId: number,
  from: number,
  to: number,
): { id: number; voidUntil: number | null }[] =>
  db.all(
    `SELECT id, void_until AS voidUntil FROM import
     WHERE site_id = ? AND open_day >= ? AND open_day < ? AND state = 'shown' ORDER BY id`,
    siteId,
    from,
    to,
  );

/** Notes that something is being brought in. */
export const addImport = (db: Db, siteId: number, { now, today }: { now: number; today: number }): number =>
  db.run("INSERT INTO import (site_id, state, started_at, open_day) VALUES (?, 'staged', ?, ?)", siteId, now, today).id;

type Shown = { id: number; now: number; openDay: number | null; voidUntil: number | null };

/** All of it counts from now on; of its open day what the site had up to the hit voidUntil counts no more. */
export const showImportRow = (db: Db, { id, now, openDay, voidUntil }: Shown): void => {
  const sql = "UPDATE import SET state = 'shown', shown_at = ?, open_day = ?, void_until = ? WHERE id = ?";
  db.run(sql, now, openDay, voidUntil, id);
};

export const giveUpImport = (db: Db, siteId: number, id: number): void => {
  db.run("UPDATE import SET state = 'gone' WHERE site_id = ? AND id = ?", siteId, id);
};

/** Deletes at most so many that are gone, or were begun before a moment and never shown; gives how many went. */
export const removeDeadImports = (db: Db, startedBefore: number, most: number): number =>
  db.run(
    `DELETE FROM import WHERE id IN
       (SELECT id FROM import WHERE state = 'gone' OR (state = 'staged' AND started_at < ?) LIMIT ?)`,
    startedBefore,
    most,
  ).changes;

export const removeSiteImports = (db: Db, siteId: number, most: number): number =>
  db.run('DELETE FROM import WHERE id IN (SELECT id FROM import WHERE site_id = ? LIMIT ?)', siteId, most).changes;
