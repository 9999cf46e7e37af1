// The share links of sites. A site has at most one link without a name (`share_slug` of the site), and several with a
// name.
//
// Invariant: a link that has expired is not found by its slug. Opening such a link looks the same as opening a link
// that never existed. When a view is deleted, its links are deleted too. Otherwise, such a link would show the whole
// site.
//
// Example: `findShared` for the slug of the link "Agency" returns its site, with the role of a viewer, and the link.
// For a link without a name, `findShared` returns only the site. auth/identity.ts and forms/application.ts call this
// function.
import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';
import { findSharedSite, findSiteForViewer, type Site } from './sites.ts';

export type Share = {
  id: number;
  name: string;
  slug: string;
  /** The hash of the password. */
  password: string | null;
  expires_at: number | null;
  view_id: number | null;
  origins: string[];
  created_at: number;
  /**
   * The saved view that the link shows, as the query string of a report, such as `range=7d`. Null if the link shows the
   * whole site.
   */
  view: string | null;
};
type Chosen = Pick<Share, 'name' | 'password' | 'expires_at' | 'view_id' | 'origins'>;

/**
 * What a slug stands for. A slug is the part of a share link's URL that identifies the link. `share` is undefined for
 * the link without a name.
 */
export type Shared = { site: Site; share?: Share };

type ShareRow = Omit<Share, 'origins'> & { site_id: number; origins: string };

const SHARE = `
  SELECT share.id, share.site_id, share.name, slug, password, expires_at, view_id, origins, created_at, saved_view.query AS view
  FROM share LEFT JOIN saved_view ON saved_view.id = view_id`;

const readShare = ({ site_id: _, origins, ...share }: ShareRow): Share => ({ ...share, origins: JSON.parse(origins) });

export function findShared(db: Db, slug: string, now: number): Shared | undefined {
  const unnamed = findSharedSite(db, slug);
  if (unnamed) return { site: unnamed };
  const row = db.one<ShareRow>(`${SHARE} WHERE slug = ? AND (expires_at IS NULL OR expires_at > ?)`, slug, now);
  const site = row && findSiteForViewer(db, row.site_id);
  return site && { site, share: readShare(row) };
}

export function findShare(db: Db, siteId: number, id: number): Share | undefined {
  const row = db.one<ShareRow>(`${SHARE} WHERE share.site_id = ? AND share.id = ?`, siteId, id);
  return row && readShare(row);
}

export const listShares = (db: Db, siteId: number): Share[] =>
  db.all<ShareRow>(`${SHARE} WHERE share.site_id = ? ORDER BY share.name, share.id`, siteId).map(readShare);

const SHARES_PER_SITE = 50;

export function assertRoomForShare(db: Db, siteId: number): void {
  if (listShares(db, siteId).length < SHARES_PER_SITE) return;
  throw new Problem('limit_reached', { message: coded('most_shares', { most: SHARES_PER_SITE }) });
}

export type NewShare = Chosen & { slug: string; now: number };

export function addShare(db: Db, siteId: number, share: NewShare): Share {
  const { name, slug, password, expires_at, view_id, origins, now } = share;
  const { id } = db.run(
    `INSERT INTO share (site_id, name, slug, password, expires_at, view_id, origins, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[siteId, name, slug, password, expires_at, view_id, JSON.stringify(origins), now],
  );
  return findShare(db, siteId, id) as Share;
}

export function changeShare(db: Db, siteId: number, id: number, chosen: Chosen): Share {
  const { name, password, expires_at, view_id, origins } = chosen;
  db.run(
    'UPDATE share SET name = ?, password = ?, expires_at = ?, view_id = ?, origins = ? WHERE site_id = ? AND id = ?',
    ...[name, password, expires_at, view_id, JSON.stringify(origins), siteId, id],
  );
  return findShare(db, siteId, id) as Share;
}

export const removeShare = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM share WHERE site_id = ? AND id = ?', siteId, id);
};
