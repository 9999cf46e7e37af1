import type { Db } from '../store/db.ts';

/** Lists the sealed days that `daybook move` has already copied. An interrupted move continues with the other days. */
export const listMoved = (db: Db): Set<number> =>
  new Set(db.all<{ id: number }>('SELECT sealed_day_id AS id FROM moved_day').map(({ id }) => id));

export const addMoved = (db: Db, ids: readonly number[]): void => {
  for (const id of ids) db.run('INSERT OR IGNORE INTO moved_day (sealed_day_id) VALUES (?)', id);
};

export const removeMoved = (db: Db, ids: readonly number[]): void => {
  for (const id of ids) db.run('DELETE FROM moved_day WHERE sealed_day_id = ?', id);
};

export const forgetMoved = (db: Db): void => {
  db.run('DELETE FROM moved_day');
};
