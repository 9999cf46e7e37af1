import type { Db } from '../db.ts';

export const changeCurrency = (db: Db, id: number, currency: string): void => {
  db.run('UPDATE site SET currency = ? WHERE id = ?', currency, id);
};

export const findSiteCurrency = (db: Db, id: number): string =>
  db.one<{ currency: string }>('SELECT currency FROM site WHERE id = ?', id)?.currency ?? '';

/** The first revenue of a site sets its currency. */
export const setFirstCurrency = (db: Db, id: number, currency: string): void => {
  db.run("UPDATE site SET currency = ? WHERE id = ? AND currency = ''", currency, id);
};
