// Sites: their settings, the rights of a user on them, and their removal. Each caller gets only what it needs, such as
// CollectedSite for a hit.
//
// Invariant: an id is never given twice, so rows of a removed site can never count for another. A removed site is gone
// at once; its hits are swept later, from the list of removed sites.
//
// Example: user 17 manages the account of site 3. `findSite(db, 17, 3)` gives the site with `role: 'manager'`; for user
// 18, who is in no team of that account, it gives undefined. api/sites.ts, collect and the sweeps of both engines call
// this.

import { type SiteZone, UTC } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { findStanding, type Role, refuseBeyondLimit } from '../people/accounts.ts';
import { removeLogPositions } from '../server/log-positions.ts';
import { assertFreeDomain } from './domains.ts';
import { ZONE } from './zones.ts';

/** The settings that are on or off, each by the name of its column and field. */
export const SWITCHES = [
  'weekly_report',
  'monthly_report',
  'public_live',
  'alert_traffic',
  'alert_silence',
  'track_crawlers',
] as const;
export type Switch = (typeof SWITCHES)[number];

/** A site as one user sees it. `role` is the role of that user. */
export type Site = {
  id: number;
  domain: string;
  account_id: number;
  role: Role;
  created_at: number;
  share_slug: string | null;
  main_goal_id: number | null;
  /** One pattern for each line. */
  private_paths: string;
} & SiteZone &
  Record<Switch, 0 | 1>;

const FIELDS = `site.id, domain, site.account_id, created_at, share_slug, main_goal_id, private_paths, ${ZONE}, ${SWITCHES.join(', ')}`;
const VISIBLE = `
  SELECT ${FIELDS}, mine.role
  FROM (SELECT id AS account_id, 'owner' AS role FROM account WHERE user_id = ?
        UNION ALL SELECT account_id, role FROM member WHERE user_id = ?) mine
  JOIN site ON site.account_id = mine.account_id`;

export const listSites = (db: Db, userId: number): Site[] => db.all(`${VISIBLE} ORDER BY site.id`, userId, userId);

export const findSite = (db: Db, userId: number, id: number): Site | undefined =>
  db.one(`${VISIBLE} WHERE site.id = ?`, userId, userId, id);

export const findSiteByDomain = (db: Db, userId: number, domain: string): Site | undefined =>
  db.one(`${VISIBLE} WHERE site.domain = ?`, userId, userId, domain);

/** Finds the site of a share link, with the role of a viewer. */
export const findSharedSite = (db: Db, slug: string): Site | undefined =>
  db.one(`SELECT ${FIELDS}, 'viewer' AS role FROM site WHERE share_slug = ?`, slug);

/** Finds the site of a domain if its live counter is public. */
export const findLiveSite = (db: Db, domain: string): ({ id: number; domain: string } & SiteZone) | undefined =>
  db.one(`SELECT id, domain, ${ZONE} FROM site WHERE domain = ? AND public_live = 1`, domain);

export const hasSite = (db: Db, id: number): boolean => db.one('SELECT 1 FROM site WHERE id = ?', id) !== undefined;

/** Finds the account of a site; undefined for a removed site. */
export const findSiteAccount = (db: Db, id: number): number | undefined =>
  db.one<{ id: number }>('SELECT account_id AS id FROM site WHERE id = ?', id)?.id;

export const listSiteIds = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT id FROM site ORDER BY id').map(({ id }) => id);

export const listSiteDomains = (db: Db): { id: number; domain: string }[] =>
  db.all('SELECT id, domain FROM site ORDER BY id');

export const listOwnedSites = (db: Db, accountId: number): { id: number; domain: string }[] =>
  db.all('SELECT id, domain FROM site WHERE account_id = ? ORDER BY domain', accountId);

export type ListedSite = {
  id: number;
  domain: string;
  /** The e-mail address of the account's owner. */
  owner: string;
  timeZone: string;
  keepDays: number;
  created_at: number;
};

/** Lists all sites of the server by domain. */
export const listAllSites = (db: Db): ListedSite[] =>
  db.all(
    `SELECT s.id, s.domain, u.email AS owner, s.time_zone AS timeZone, s.keep_days AS keepDays, s.created_at
     FROM site s JOIN account a ON a.id = s.account_id JOIN user u ON u.id = a.user_id ORDER BY s.domain`,
  );

/** Lists the sites with retention: they keep hits for a number of days. */
export const listKeepingSites = (db: Db): { id: number; keepDays: number }[] =>
  db.all('SELECT id, keep_days AS keepDays FROM site WHERE keep_days > 0 ORDER BY id');

/** What the collector needs of a site. */
export type CollectedSite = {
  id: number;
  domain: string;
  /** The domain of the hit, if that is a former one of the site. */
  former?: string;
  tracksCrawlers: boolean;
  privatePaths: string;
} & SiteZone;

const COLLECTED = `SELECT id, domain, track_crawlers AS tracks, private_paths AS privatePaths, ${ZONE} FROM site`;

type CollectedRow = Omit<CollectedSite, 'tracksCrawlers' | 'former'> & { tracks: 0 | 1 };
const readCollected = ({ tracks, ...row }: CollectedRow): CollectedSite => ({ ...row, tracksCrawlers: tracks === 1 });

export function findCollectedSite(db: Db, domain: string): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE domain = ?`, domain);
  return row && readCollected(row);
}

export function findCollectedSiteById(db: Db, id: number): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE id = ?`, id);
  return row && readCollected(row);
}

/** Finds a site by its domain or a former one. Pages with an old snippet still send that, and old logs have it. */
export function findVisitedSite(db: Db, name: string, now: number): CollectedSite | undefined {
  const site = findCollectedSite(db, name);
  if (site) return site;
  const row = db.one<CollectedRow>(
    `${COLLECTED} WHERE id = (SELECT site_id FROM former_domain WHERE domain = ? AND until > ?)`,
    name,
    now,
  );
  return row && { ...readCollected(row), former: name };
}

/** Adds a site to an account whose plan has room. Call it inside a transaction. */
export function addSite(
  db: Db,
  {
    accountId,
    domain,
    timeZone = UTC,
    now,
  }: { accountId: number; domain: string; timeZone?: string | undefined; now: number },
): number {
  const { sites } = findStanding(db, accountId, now);
  const { n } = db.one<{ n: number }>('SELECT count(*) AS n FROM site WHERE account_id = ?', accountId) ?? { n: 0 };
  if (sites !== null && n >= sites) throw refuseBeyondLimit(sites, 'site');
  assertFreeDomain(db, domain, now);
  const sql = 'INSERT INTO site (account_id, domain, time_zone, created_at) VALUES (?, ?, ?, ?)';
  return db.run(sql, accountId, domain, timeZone, now).id;
}

export const changeSwitch = (db: Db, id: number, name: Switch, on: boolean): void => {
  db.run(`UPDATE site SET ${name} = ? WHERE id = ?`, on ? 1 : 0, id);
};

export const changeShareSlug = (db: Db, id: number, slug: string | null): void => {
  db.run('UPDATE site SET share_slug = ? WHERE id = ?', slug, id);
};

export const changeMainGoal = (db: Db, id: number, goalId: number | null): void => {
  db.run('UPDATE site SET main_goal_id = ? WHERE id = ?', goalId, id);
};

/** Sets patterns of paths that are private from now on. Stored hits stay as they are. */
export const changePrivatePaths = (db: Db, id: number, lines: string): void => {
  db.run('UPDATE site SET private_paths = ? WHERE id = ?', lines, id);
};

/** Removes a site at once; its hits are swept later. Call it inside a transaction. */
export const removeSite = (db: Db, id: number): void => {
  removeLogPositions(db, id);
  db.run('DELETE FROM site WHERE id = ?', id);
  db.run('INSERT INTO removed_site (site_id) VALUES (?)', id);
};

/** Lists removed sites that may still have hits. */
export const listRemovedSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT site_id AS id FROM removed_site').map(({ id }) => id);

/** Finds the greatest id that a site of this file ever had. */
export const findLastSiteId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'site'")?.id ?? 0;

/** Tells whether a site of this file was removed. Rows of an id that this file never had stay where they are. */
export const wasRemoved = (db: Db, id: number): boolean =>
  id <= findLastSiteId(db) &&
  !hasSite(db, id) &&
  db.one('SELECT 1 FROM unknown_site WHERE site_id = ?', id) === undefined;

/** Keeps ids up to this one from being given to sites. Call it inside a transaction. */
export function skipSiteIds(db: Db, last: number): void {
  db.run("DELETE FROM sqlite_sequence WHERE name = 'site'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('site', ?)", last);
}

/**
 * Notes a site that the cluster has and this file never had, so that no sweep deletes its rows. Call it inside a
 * transaction.
 */
export const noteUnknownSite = (db: Db, id: number): void => {
  db.run('INSERT OR IGNORE INTO unknown_site (site_id) VALUES (?)', id);
};

/** Ends the removal of a site: no hit of it is left. */
export const endRemoval = (db: Db, id: number): void => {
  db.write(() => db.run('DELETE FROM removed_site WHERE site_id = ?', id));
};

/** Sets the retention of a site: after this many days only the sums of a day stay. 0 keeps everything. */
export const keepDays = (db: Db, siteId: number, days: number): void => {
  db.run('UPDATE site SET keep_days = ? WHERE id = ?', days, siteId);
};
