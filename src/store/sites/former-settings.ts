import type { Db } from '../db.ts';
import { addChangeOfAll } from './changes.ts';

const SETTINGS = 'main_goal_id, page_parameters, currency';

/**
 * Stores the settings in `SETTINGS`, as they were before the change with the number `change`. Reports that show the
 * state of a past day use them. Call this function before the settings change.
 */
export const keepSettings = (db: Db, siteId: number, change: number): void => {
  const sql = `INSERT OR IGNORE INTO former_setting (site_id, replaced_by, ${SETTINGS}) SELECT id, ?, ${SETTINGS} FROM site WHERE id = ?`;
  db.run(sql, change, siteId);
};

/** Adds a change of settings. `name` is the name of the setting. Call this function before the setting changes. */
export const addSettingChange = (db: Db, siteId: number, name: string, now: number): void =>
  keepSettings(db, siteId, addChangeOfAll(db, { siteId, reason: 'setting_changed', name, now }));
