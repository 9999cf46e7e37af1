import { DAY } from '../lib/time.ts';
import type { Db } from './statements.ts';

export type MailingKind = 'weekly' | 'traffic' | 'silence' | 'return';

/** Something to tell about a site. */
export type Mailing = { id: number; siteId: number; kind: MailingKind; at: number; createdAt: number };

/** A site about which mails are wanted. */
export type MailedSite = { id: number; accountId: number; domain: string };

export type Reader = { id: number; email: string };

const SITE = 'SELECT id, account_id AS accountId, domain FROM site';
const MAILING = 'SELECT m.id, m.site_id AS siteId, m.kind, m.at, m.created_at AS createdAt FROM mailing m';

/** The switch that a kind of mail is behind. */
const SWITCH: Record<MailingKind, 'weekly_report' | 'alert_traffic' | 'alert_silence'> = {
  weekly: 'weekly_report',
  traffic: 'alert_traffic',
  silence: 'alert_silence',
  return: 'alert_silence',
};
const IS_WANTED = Object.entries(SWITCH)
  .map(([kind, name]) => `(m.kind = '${kind}' AND s.${name} = 1)`)
  .join(' OR ');

export const findMailedSite = (db: Db, id: number): MailedSite | undefined => db.one(`${SITE} WHERE id = ?`, id);

export const findMailedSiteByDomain = (db: Db, domain: string): MailedSite | undefined =>
  db.one(`${SITE} WHERE domain = ?`, domain);

/** The sites whose weekly report of a Monday nobody has thought of yet. */
export const listReportSites = (db: Db, monday: number): MailedSite[] =>
  db.all(
    `${SITE} WHERE weekly_report = 1 AND NOT EXISTS
       (SELECT 1 FROM mailing m WHERE m.site_id = site.id AND m.kind = 'weekly' AND m.at = ?) ORDER BY id`,
    monday,
  );

export const listTrafficSites = (db: Db): MailedSite[] => db.all(`${SITE} WHERE alert_traffic = 1 ORDER BY id`);

export const listSilenceSites = (db: Db): MailedSite[] => db.all(`${SITE} WHERE alert_silence = 1 ORDER BY id`);

/** The episode of a site that goes on. */
export const findEpisode = (db: Db, siteId: number, kind: 'traffic' | 'silence'): Mailing | undefined =>
  db.one(`${MAILING} WHERE m.site_id = ? AND m.kind = ? AND m.ended_at IS NULL`, siteId, kind);

type New = Omit<Mailing, 'id' | 'createdAt'> & { now: number; endedAt?: number };

/** So long what was told is kept; nobody asks for it any more after a few days. */
const KEPT_SECONDS = 60 * DAY;

/** Only the first time: what was thought of once is not told again. What is old and over goes. Call it inside a transaction. */
export function addMailing(db: Db, { siteId, kind, at, now, endedAt }: New): void {
  const sql = 'INSERT OR IGNORE INTO mailing (site_id, kind, at, created_at, ended_at) VALUES (?, ?, ?, ?, ?)';
  db.run(sql, siteId, kind, at, now, endedAt ?? null);
  const old = `DELETE FROM mailing WHERE created_at < ? AND (ended_at IS NOT NULL OR kind IN ('weekly', 'return'))`;
  db.run(old, now - KEPT_SECONDS);
}

export const endMailing = (db: Db, id: number, now: number): void => {
  db.run('UPDATE mailing SET ended_at = ? WHERE id = ?', now, id);
};

/** What was thought of since a moment and is still worth telling: a silence only as long as it lasts. */
export const listMailings = (db: Db, since: number): Mailing[] =>
  db.all(
    `${MAILING} JOIN site s ON s.id = m.site_id
     WHERE m.created_at > ? AND (m.ended_at IS NULL OR m.kind = 'traffic') AND (${IS_WANTED}) ORDER BY m.id`,
    since,
  );

const READERS = `
  SELECT u.id, u.email FROM site s JOIN account a ON a.id = s.account_id JOIN user u ON u.id = a.user_id
  WHERE s.id = ?
  UNION SELECT u.id, u.email FROM site s JOIN member b ON b.account_id = s.account_id JOIN user u ON u.id = b.user_id
  WHERE s.id = ?`;

const wanting = (sql: string) => `
  SELECT r.id, r.email FROM (${READERS}) r
  WHERE NOT EXISTS (SELECT 1 FROM unsubscribed n WHERE n.site_id = ? AND n.user_id = r.id)
    AND NOT EXISTS (SELECT 1 FROM mailed d WHERE d.mailing_id = ? AND d.user_id = r.id) ${sql} ORDER BY r.id`;

const WANTING = wanting('');
/** That it is over is told only to those who were told of it. */
const WANTING_RETURN = wanting(`AND EXISTS
  (SELECT 1 FROM mailing m JOIN mailed d ON d.mailing_id = m.id
   WHERE m.site_id = ? AND m.kind = 'silence' AND m.at = ? AND d.user_id = r.id AND d.taken = 1)`);

/** The owner and the team of a site, as far as they want mails about it and have not got this one. */
export const listWaiting = (db: Db, { id, siteId, kind, at }: Mailing): Reader[] =>
  kind === 'return'
    ? db.all(WANTING_RETURN, siteId, siteId, siteId, id, siteId, at)
    : db.all(WANTING, siteId, siteId, siteId, id);

export function noteMailed(db: Db, mailingId: number, userId: number, taken: boolean, now: number): void {
  const sql = 'INSERT OR IGNORE INTO mailed (mailing_id, user_id, taken, sent_at) VALUES (?, ?, ?, ?)';
  db.write(() => db.run(sql, mailingId, userId, taken ? 1 : 0, now));
}
