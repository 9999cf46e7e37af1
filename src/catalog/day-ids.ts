// The ids of sealed days. On a cluster, each row of a sealed day has the id of its day. By these ids, a query
// leaves out the rows of days that are not shown, such as staged, replaced and removed days.
//
// Invariant: two days never get the same id, even if one of them was deleted. Otherwise, a new day would count the rows
// of an older day that are still on a server.
//
// Example: the database file has the days with the ids 1 to 40. A server has rows with the id 43. `skipDayIds(db, 43)`
// makes the next sealed day get the id 44. cluster/upkeep/adopt.ts calls this function.

import type { Db } from '../store/db.ts';

/** Finds the highest id that a sealed day has ever had, even if that day was deleted. */
export const findLastDayId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'sealed_day'")?.id ?? 0;

/** Returns whether the database file has a sealed day with this id. Also true for a staged or replaced day. */
export const isDayKnown = (db: Db, id: number): boolean =>
  db.one('SELECT 1 FROM sealed_day WHERE id = ?', id) !== undefined;

/**
 * Makes all later sealed days get ids above `last`. A cluster may have rows with ids up to `last` whose days the
 * database file does not know. If a new day got one of these ids, those rows would count for the new day. Call this
 * function inside a transaction.
 */
export function skipDayIds(db: Db, last: number): void {
  if (last > findLastDayId(db)) db.run('INSERT OR IGNORE INTO unknown_day (last_id) VALUES (?)', last);
  db.run("DELETE FROM sqlite_sequence WHERE name = 'sealed_day'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('sealed_day', ?)", last);
}

/**
 * Notes the ids of removed days, because a server of the cluster may still have their rows. A query names its days as
 * ranges of ids, and no range may contain the id of a removed day. For example, the days with the ids 3, 4 and 5 were
 * removed. Only 5 is stored: one id is enough to divide the range from 1 to 9 into two, from 1 to 2 and from 6 to 9.
 */
export const noteRemovedDays = (db: Db): void => {
  db.run(`INSERT OR IGNORE INTO unknown_day (last_id) SELECT id - 1 FROM sealed_day AS next
    WHERE id > 1 AND NOT EXISTS (SELECT 1 FROM sealed_day WHERE id = next.id - 1)`);
};
