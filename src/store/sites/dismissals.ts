import type { Db } from '../db.ts';

/**
 * Ends the suggestions for a day. daybook suggests excluding visits that look like bots. After this call, daybook
 * suggests nothing for this day.
 */
export const dismissDay = (db: Db, siteId: number, day: number): void => {
  db.run('INSERT OR IGNORE INTO dismissed_day (site_id, day) VALUES (?, ?)', siteId, day);
};

export const isDismissed = (db: Db, siteId: number, day: number): boolean =>
  db.one('SELECT 1 FROM dismissed_day WHERE site_id = ? AND day = ?', siteId, day) !== undefined;
