import { type SiteZone, UTC } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { findStanding, pastLimit, type Role } from '../people/accounts.ts';
import { removeLogPositions } from '../server/log-positions.ts';
import { assertFreeDomain } from './domains.ts';
import { ZONE } from './zones.ts';

/** The settings that are plain switches, by the name of their column and of their field. */
export const SWITCHES = [
  'weekly_report',
  'monthly_report',
  'public_live',
  'alert_traffic',
  'alert_silence',
  'track_crawlers',
] as const;
export type Switch = (typeof SWITCHES)[number];

/** A site as one caller sees it: role is theirs. */
export type Site = {
  id: number;
  domain: string;
  account_id: number;
  role: Role;
  created_at: number;
  share_slug: string | null;
  main_goal_id: number | null;
  /** One pattern a line. */
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

/** The site of a share link, as a viewer sees it. */
export const findSharedSite = (db: Db, slug: string): Site | undefined =>
  db.one(`SELECT ${FIELDS}, 'viewer' AS role FROM site WHERE share_slug = ?`, slug);

/** The site of a domain, if its live counter is public. */
export const findLiveSite = (db: Db, domain: string): ({ id: number; domain: string } & SiteZone) | undefined =>
  db.one(`SELECT id, domain, ${ZONE} FROM site WHERE domain = ? AND public_live = 1`, domain);

export const siteExists = (db: Db, id: number): boolean => db.one('SELECT 1 FROM site WHERE id = ?', id) !== undefined;

/** The account of a site; undefined for a site that is gone. */
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
  /** The e-mail address of the user in whose account it is. */
  owner: string;
  timeZone: string;
  keepDays: number;
  created_at: number;
};

/** All sites of the server, by their names. */
export const listAllSites = (db: Db): ListedSite[] =>
  db.all(
    `SELECT s.id, s.domain, u.email AS owner, s.time_zone AS timeZone, s.keep_days AS keepDays, s.created_at
     FROM site s JOIN account a ON a.id = s.account_id JOIN user u ON u.id = a.user_id ORDER BY s.domain`,
  );

/** The sites that keep the hits of a day only for so long. */
export const listKeepingSites = (db: Db): { id: number; keepDays: number }[] =>
  db.all('SELECT id, keep_days AS keepDays FROM site WHERE keep_days > 0 ORDER BY id');

/** What the collector needs to know of a site. */
export type CollectedSite = {
  id: number;
  domain: string;
  /** The name under which it was asked for, where that is one of before. */
  former?: string;
  tracksCrawlers: boolean;
  privatePaths: string;
} & SiteZone;

const COLLECTED = `SELECT id, domain, track_crawlers AS tracks, private_paths AS privatePaths, ${ZONE} FROM site`;

type CollectedRow = Omit<CollectedSite, 'tracksCrawlers' | 'former'> & { tracks: 0 | 1 };
const collectedOf = ({ tracks, ...row }: CollectedRow): CollectedSite => ({ ...row, tracksCrawlers: tracks === 1 });

export function findCollectedSite(db: Db, domain: string): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE domain = ?`, domain);
  return row && collectedOf(row);
}

export function findCollectedSiteById(db: Db, id: number): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE id = ?`, id);
  return row && collectedOf(row);
}

/** By a former name too, under which pages with the old snippet still send, and logs are still read. */
export function findVisitedSite(db: Db, name: string, now: number): CollectedSite | undefined {
  const site = findCollectedSite(db, name);
  if (site) return site;
  const row = db.one<CollectedRow>(
    `${COLLECTED} WHERE id = (SELECT site_id FROM former_domain WHERE domain = ? AND until > ?)`,
    name,
    now,
  );
  return row && { ...collectedOf(row), former: name };
}

/** Call it inside a transaction. */
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
  if (sites !== null && n >= sites) throw pastLimit(sites, 'site');
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

/** From now on; what is kept already stays as it is. */
export const changePrivatePaths = (db: Db, id: number, lines: string): void => {
  db.run('UPDATE site SET private_paths = ? WHERE id = ?', lines, id);
};

/** The site is gone at once; what was counted for it is deleted later. Call it inside a transaction. */
export const removeSite = (db: Db, id: number): void => {
  removeLogPositions(db, id);
  db.run('DELETE FROM site WHERE id = ?', id);
  db.run('INSERT INTO removed_site (site_id) VALUES (?)', id);
};

/** The sites that are gone, and of which something that was counted may still be there. */
export const listRemovedSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT site_id AS id FROM removed_site').map(({ id }) => id);

/** The greatest id that a site of this file ever had. */
export const lastSiteId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'site'")?.id ?? 0;

/** Whether a site was one of this file and was deleted. All others that are not there are unknown: their rows stay. */
export const wasRemoved = (db: Db, id: number): boolean =>
  id <= lastSiteId(db) &&
  !siteExists(db, id) &&
  db.one('SELECT 1 FROM unknown_site WHERE site_id = ?', id) === undefined;

/** No site gets an id up to this one any more. Call it inside a transaction. */
export function skipSiteIds(db: Db, last: number): void {
  db.run("DELETE FROM sqlite_sequence WHERE name = 'site'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('site', ?)", last);
}

/** A cluster has rows of a site that this file never had: nothing deletes them by itself. Call it inside a transaction. */
export const noteUnknownSite = (db: Db, id: number): void => {
  db.run('INSERT OR IGNORE INTO unknown_site (site_id) VALUES (?)', id);
};

/** Of a site that is gone nothing is left. */
export const endRemoval = (db: Db, id: number): void => {
  db.write(() => db.run('DELETE FROM removed_site WHERE site_id = ?', id));
};

/** After so many days only the sums of a day are kept; 0 keeps everything. */
export const keepDays = (db: Db, siteId: number, days: number): void => {
  db.run('UPDATE site SET keep_days = ? WHERE id = ?', days, siteId);
};
