// Stores sites and their settings, finds a user's role for a site, and removes sites. There are several TypeScript
// types for a site, each with only the fields that its callers need. collected-sites.ts has the type for storing hits.
//
// Invariant: the id of a removed site is never used again, therefore its rows never count for another site. Removing a
// site hides it immediately. Its hits are deleted later.
//
// Example: user 17 manages the account of site 3. `findSite(db, 17, 3)` returns the site with `role: 'manager'`. User
// 18 is not in the team of that account, therefore `findSite(db, 18, 3)` returns undefined. api/sites.ts and the sweeps
// of both engines are two of the many callers.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { type SiteZone, UTC } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { findStanding, type Role, refuseBeyondLimit } from '../people/accounts.ts';
import { reachesSite } from '../people/member-sites.ts';
import { removeLogPositions } from '../server/log-positions.ts';
import { assertFreeDomain } from './domains.ts';
import { HAS_SEARCHES } from './searches.ts';
import { ZONE } from './zones.ts';

/** The settings that are on or off. Each name is also the name of a database column and of an API field. */
export const SWITCHES = [
  'weekly_report',
  'monthly_report',
  'public_live',
  'alert_traffic',
  'alert_silence',
  'alert_custom',
  'report_effects',
  'track_crawlers',
  'places',
  'track_vitals',
] as const;
export type Switch = (typeof SWITCHES)[number];

export type Site = {
  id: number;
  domain: string;
  account_id: number;
  role: Role;
  created_at: number;
  share_slug: string | null;
  main_goal_id: number | null;
  /**
   * Patterns of private paths, one per line. The matching part of a path, such as the number of a customer, is stored
   * as `:id`.
   */
  private_paths: string;
  /** The names of the parameters that belong to a page, one per line, such as `p` for `/?p=1`. */
  page_parameters: string;
  /** The dimensions that are not kept, one name per line (src/stats/dimensions-off.ts). */
  dimensions_off: string;
  /** The currency of the site's revenue, such as EUR. Empty until somebody chooses it, or the first revenue arrives. */
  currency: string;
  /** 1 if the site has figures of Google's searches (searches.ts). */
  has_searches: 0 | 1;
} & SiteZone &
  Record<Switch, 0 | 1>;

/** The fields of a site that a report needs. */
export type ReportedSite = Pick<Site, 'id' | 'domain' | 'main_goal_id' | 'currency'> & SiteZone;

const FIELDS = `site.id, domain, site.account_id, created_at, share_slug, main_goal_id, private_paths, page_parameters, dimensions_off, currency, ${HAS_SEARCHES} AS has_searches, ${ZONE}, ${SWITCHES.join(', ')}`;
const VISIBLE = `
  SELECT ${FIELDS}, mine.role
  FROM (SELECT id AS account_id, 'owner' AS role, 0 AS id, 1 AS sees_all FROM account WHERE user_id = ?
        UNION ALL SELECT account_id, role, id, sees_all FROM member WHERE user_id = ?) mine
  JOIN site ON site.account_id = mine.account_id AND ${reachesSite('mine')}`;

export const listSites = (db: Db, userId: number): Site[] => db.all(`${VISIBLE} ORDER BY site.id`, userId, userId);

export const findSite = (db: Db, userId: number, id: number): Site | undefined =>
  db.one(`${VISIBLE} WHERE site.id = ?`, userId, userId, id);

export const findSiteByDomain = (db: Db, userId: number, domain: string): Site | undefined =>
  db.one(`${VISIBLE} WHERE site.domain = ?`, userId, userId, domain);

/**
 * Finds the site of a share link without a name. With the link, anyone can see the reports of the site as a viewer,
 * without signing in.
 */
export const findSharedSite = (db: Db, slug: string): Site | undefined =>
  db.one(`SELECT ${FIELDS}, 'viewer' AS role FROM site WHERE share_slug = ?`, slug);

/** Finds the site of a share link with a name (shares.ts). */
export const findSiteForViewer = (db: Db, id: number): Site | undefined =>
  db.one(`SELECT ${FIELDS}, 'viewer' AS role FROM site WHERE id = ?`, id);

/** Finds the site for the public live counter. Returns undefined if the site has not switched this counter on. */
export const findLiveSite = (
  db: Db,
  domain: string,
): ({ id: number; domain: string; account_id: number } & SiteZone) | undefined =>
  db.one(`SELECT id, domain, account_id, ${ZONE} FROM site WHERE domain = ? AND public_live = 1`, domain);

export const hasSite = (db: Db, id: number): boolean => db.one('SELECT 1 FROM site WHERE id = ?', id) !== undefined;

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
  /** The e-mail address of the user who owns the site's account. */
  owner: string;
  timeZone: string;
  keepDays: number;
  created_at: number;
};

export const listAllSites = (db: Db): ListedSite[] =>
  db.all(
    `SELECT s.id, s.domain, u.email AS owner, s.time_zone AS timeZone, s.keep_days AS keepDays, s.created_at
     FROM site s JOIN account a ON a.id = s.account_id JOIN user u ON u.id = a.user_id ORDER BY s.domain`,
  );

/** Lists the sites that delete their hits after `keepDays` days. */
export const listKeepingSites = (db: Db): { id: number; keepDays: number }[] =>
  db.all('SELECT id, keep_days AS keepDays FROM site WHERE keep_days > 0 ORDER BY id');

/**
 * Returns whether a site now deletes the hits of a day. Deleting takes long, and somebody may change the setting
 * meanwhile, for example after a mistake.
 */
export const isExpired = (db: Db, siteId: number, { day, today }: { day: number; today: number }): boolean =>
  db.one('SELECT 1 FROM site WHERE id = ? AND keep_days > 0 AND ? < ? - keep_days', siteId, day, today) !== undefined;

/** Finds a site without asking who may see it, for commands and e-mails. */
export const findReportedSite = (db: Db, domain: string): ReportedSite | undefined =>
  db.one(`SELECT id, domain, main_goal_id, currency, ${ZONE} FROM site WHERE domain = ?`, domain);

const countSites = (db: Db, accountId: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM site WHERE account_id = ?', accountId)?.n ?? 0;

const MOST_BY_MANAGERS = 1_000;

/**
 * Throws if a manager may not add another site. Many plans have no limit of sites, and only the owner can delete a
 * site. With 20,000 sites, the list of sites would block the server for a second. Each job over all sites would block
 * it as long. Therefore managers have a limit of their own.
 */
export function assertRoomForManager(db: Db, accountId: number): void {
  if (countSites(db, accountId) < MOST_BY_MANAGERS) return;
  throw new Problem('limit_reached', { message: coded('most_sites_by_managers', { most: MOST_BY_MANAGERS }) });
}

/** Adds a site. Throws if the plan of the account allows no further site. Call this function inside a transaction. */
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
  if (sites !== null && countSites(db, accountId) >= sites) throw refuseBeyondLimit(sites, 'site');
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

/** Sets the patterns of private paths. Hits that are already stored do not change. */
export const changePrivatePaths = (db: Db, id: number, lines: string): void => {
  db.run('UPDATE site SET private_paths = ? WHERE id = ?', lines, id);
};

/**
 * Sets the names of the URL parameters that are stored with a page, one per line. Hits that are already stored do not
 * change.
 */
export const changePageParameters = (db: Db, id: number, lines: string): void => {
  db.run('UPDATE site SET page_parameters = ? WHERE id = ?', lines, id);
};

/** Sets the dimensions that are not kept, one name per line. Hits that are already stored do not change. */
export const changeDimensionsOff = (db: Db, id: number, lines: string): void => {
  db.run('UPDATE site SET dimensions_off = ? WHERE id = ?', lines, id);
};

/** Adds a site to a file with copies of open days (ledger/open-days.ts). There, a site has an id and no settings. */
export const addBareSite = (db: Db, id: number): void => {
  db.run('INSERT OR IGNORE INTO site (id, account_id, domain, created_at) VALUES (?, 0, ?, 0)', id, String(id));
};

/**
 * Removes a site. Because of the row in `removed_site`, a later job deletes the hits of the site. Call this function
 * inside a transaction.
 */
export const removeSite = (db: Db, id: number): void => {
  removeLogPositions(db, id);
  db.run('DELETE FROM site WHERE id = ?', id);
  db.run('INSERT INTO removed_site (site_id) VALUES (?)', id);
};

/** Lists removed sites whose hits may still be stored. */
export const listRemovedSites = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT site_id AS id FROM removed_site').map(({ id }) => id);

/** Finds the highest id that a site in this database file has ever had. New sites get higher ids. */
export const findLastSiteId = (db: Db): number =>
  db.one<{ id: number }>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'site'")?.id ?? 0;

/**
 * True if a site of this database file was removed. Then the rows of this site on the cluster can be deleted. False for
 * an id above all ids of this file, and for a site in `unknown_site`. Rows with such ids may belong to another database
 * file.
 */
export const wasRemoved = (db: Db, id: number): boolean =>
  id <= findLastSiteId(db) &&
  !hasSite(db, id) &&
  db.one('SELECT 1 FROM unknown_site WHERE site_id = ?', id) === undefined;

/**
 * Makes all later sites get ids above `last`. A cluster may already have rows of sites up to `last`. These rows must
 * not count for new sites.
 */
export function skipSiteIds(db: Db, last: number): void {
  db.run("DELETE FROM sqlite_sequence WHERE name = 'site'");
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('site', ?)", last);
}

/**
 * Stores that the cluster has rows of a site that this database file never had. The nightly job must not delete these
 * rows, because they may belong to another database file.
 */
export const noteUnknownSite = (db: Db, id: number): void => {
  db.run('INSERT OR IGNORE INTO unknown_site (site_id) VALUES (?)', id);
};

/** Ends the removal of a site, after all of its hits were deleted. */
export const endRemoval = (db: Db, id: number): void => {
  db.write(() => db.run('DELETE FROM removed_site WHERE site_id = ?', id));
};

/**
 * Sets for how many days hits are kept. Hits of older days are deleted, and only the sums of these days stay. With 0,
 * hits are kept forever.
 */
export const keepDays = (db: Db, siteId: number, days: number): void => {
  db.run('UPDATE site SET keep_days = ? WHERE id = ?', days, siteId);
};
