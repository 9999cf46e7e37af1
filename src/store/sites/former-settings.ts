import type { Db } from '../db.ts';
import { addChangeOfAll } from './changes.ts';

const SETTINGS = 'main_goal_id, page_parameters, currency';

/**
 * Copies the columns `SETTINGS` of a site into the table `former_setting`. Call this function before the settings
 * change. `change` is the number of the change. Reports that show the site as it was before the change use this table.
 */
export const keepSettings = (db: Db, siteId: number, change: number): void => {
  const sql = `INSERT OR IGNORE INTO former_setting (site_id, replaced_by, ${SETTINGS}) SELECT id, ?, ${SETTINGS} FROM site WHERE id = ?`;
  db.run(sql, change, siteId);
};

/**
 * Adds a change to the journal, because the setting `name` of a site will change. Also stores the present settings.
 * Therefore call this function before the setting changes.
 */
export const addSettingChange = (db: Db, siteId: number, name: string, now: number): void =>
  keepSettings(db, siteId, addChangeOfAll(db, { siteId, reason: 'setting_changed', name, now }));
