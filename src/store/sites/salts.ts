import type { SiteZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { ZONE } from './zones.ts';

type SiteDay = { siteId: number; day: number };

/** The site and the day of a stored salt, and the site's time zone. The bytes of the salt are not included. */
export type Salt = SiteDay & SiteZone;

const SALTS = `SELECT salt.site_id AS siteId, salt.day, ${ZONE} FROM salt JOIN site ON site.id = salt.site_id`;

export const listSalts = (db: Db): Salt[] => db.all(SALTS);

export const listSiteSalts = (db: Db, siteId: number): Salt[] => db.all(`${SALTS} WHERE salt.site_id = ?`, siteId);

export const findSalt = (db: Db, siteId: number, day: number): Buffer | undefined =>
  db.one<{ bytes: Buffer }>('SELECT bytes FROM salt WHERE site_id = ? AND day = ?', siteId, day)?.bytes;

export const addSalt = (db: Db, { siteId, day }: SiteDay, bytes: Buffer): void => {
  db.run('INSERT INTO salt (site_id, day, bytes) VALUES (?, ?, ?)', siteId, day, bytes);
};

/** Removes the salt of a day. Returns its bytes, because a job later searches files for removed salts. */
export const removeSalt = (db: Db, { siteId, day }: SiteDay): Buffer | undefined =>
  db.one<{ bytes: Buffer }>('DELETE FROM salt WHERE site_id = ? AND day = ? RETURNING bytes', siteId, day)?.bytes;
