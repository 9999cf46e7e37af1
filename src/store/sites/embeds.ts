import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

export type Embed = { id: number; origin: string; created_at: number };

const EMBED = 'SELECT id, origin, created_at FROM embed WHERE site_id = ?';

export const findEmbed = (db: Db, siteId: number, id: number): Embed | undefined =>
  db.one(`${EMBED} AND id = ?`, siteId, id);

export const listEmbeds = (db: Db, siteId: number): Embed[] => db.all(`${EMBED} ORDER BY id`, siteId);

/**
 * The most origins of a site. An origin is a website that may show the reports of the site in a frame. All origins are
 * sent in one HTTP header, and proxies limit the length of a header.
 */
const EMBEDS_PER_SITE = 20;

export function assertRoomForEmbed(db: Db, siteId: number): void {
  if (listEmbeds(db, siteId).length < EMBEDS_PER_SITE) return;
  const message = coded('most_embeds', { most: EMBEDS_PER_SITE });
  throw new Problem('limit_reached', { message });
}

/** Adds an origin. If the site already has this origin, nothing changes. */
export function addEmbed(db: Db, siteId: number, origin: string, now: number): Embed {
  const sql = 'INSERT INTO embed (site_id, origin, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  db.run(sql, siteId, origin, now);
  return db.one<Embed>(`${EMBED} AND origin = ?`, siteId, origin) as Embed;
}

export const removeEmbed = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM embed WHERE site_id = ? AND id = ?', siteId, id);
};
