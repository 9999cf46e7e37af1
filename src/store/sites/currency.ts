import type { Db } from '../db.ts';

export const changeCurrency = (db: Db, id: number, currency: string): void => {
  db.run('UPDATE site SET currency = ? WHERE id = ?', currency, id);
};

export const findSiteCurrency = (db: Db, id: number): string =>
  db.one<{ currency: string }>('SELECT currency FROM site WHERE id = ?', id)?.currency ?? '';

/** Sets the currency of a site that has none yet. This is the currency of its first revenue. */
export const setFirstCurrency = (db: Db, id: number, currency: string): void => {
  db.run("UPDATE site SET currency = ? WHERE id = ? AND currency = ''", currency, id);
};
