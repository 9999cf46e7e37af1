// A mailing is a message about a site, such as a weekly report or an alert. This file stores mailings, and which users
// have received them by mail.
//
// Invariant: a site has at most one mailing of a kind for the same time. After noteMailed is called for a user, the
// user does not get the mailing again. Mailings are stored for 60 days. Only the last mailing of each site and kind is
// stored longer.
//
// Example: two calls of `addMailing(db, { siteId: 3, kind: 'silence', at: 1764547200, now })` make one row. listWaiting
// then returns the owner and the team members for whom noteMailed was not called yet. src/mail, src/destinations and
// jobs/mail.ts use this file.

import type { Language } from '../../lang/languages.ts';
import { DAY } from '../../lib/time.ts';
import type { SiteZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import { reachesSite } from '../people/member-sites.ts';
import type { MessageKind } from '../sites/destinations.ts';
import type { Switch } from '../sites/sites.ts';
import { ZONE } from '../sites/zones.ts';

/** A mailing. `endedAt` is set when the subject of the message, such as a time without traffic, has ended. */
export type Mailing = {
  id: number;
  siteId: number;
  kind: string;
  at: number;
  createdAt: number;
  endedAt: number | null;
  /** What the message is about, as JSON, such as the day of a custom alert. Null for kinds that need no details. */
  details: string | null;
};

export type MailedSite = { id: number; accountId: number; domain: string } & SiteZone;

/** A user who gets mails. `language` is null if the user has not chosen a language. */
export type Reader = { id: number; email: string; language: Language | null };

const SITE = `SELECT id, account_id AS accountId, domain, ${ZONE} FROM site`;
const MAILING =
  'SELECT m.id, m.site_id AS siteId, m.kind, m.at, m.created_at AS createdAt, m.ended_at AS endedAt, m.details FROM mailing m';

export const findMailedSite = (db: Db, id: number): MailedSite | undefined => db.one(`${SITE} WHERE id = ?`, id);

export const findMailedSiteByDomain = (db: Db, domain: string): MailedSite | undefined =>
  db.one(`${SITE} WHERE domain = ?`, domain);

/**
 * Lists the sites to check for one kind of message. A site is listed if its switch `setting` is on. A site is also
 * listed if one of its destinations gets `message` and is not paused.
 */
export const listMailedSites = (db: Db, setting: Switch | undefined, message: MessageKind): MailedSite[] =>
  db.all(
    `${SITE} WHERE ${setting ?? '0'} = 1 OR EXISTS
      (SELECT 1 FROM destination d, json_each(d.messages) m WHERE d.site_id = site.id AND d.paused = 0 AND m.value = ?)
     ORDER BY id`,
    message,
  );

export const findLastMailing = (db: Db, siteId: number, kind: string): Mailing | undefined =>
  db.one(`${MAILING} WHERE m.site_id = ? AND m.kind = ? ORDER BY m.id DESC LIMIT 1`, siteId, kind);

/**
 * Lists the details of the mailings of a kind about a site. One kind of mail reports how the figures changed after a
 * day with a note of a user. With this list, each note is reported only once. Mailings without details are left out.
 */
export const listMailingDetails = (db: Db, siteId: number, kind: string): string[] =>
  db
    .all<{ details: string }>(
      'SELECT details FROM mailing WHERE site_id = ? AND kind = ? AND details IS NOT NULL ORDER BY id',
      siteId,
      kind,
    )
    .map(({ details }) => details);

/** Finds when a user last received a weekly or monthly report of a site by mail. */
export const findLastReported = (db: Db, { siteId, userId }: { siteId: number; userId: number }): number | undefined =>
  db.one<{ at: number | null }>(
    `SELECT max(d.sent_at) AS at FROM mailed d JOIN mailing m ON m.id = d.mailing_id
     WHERE d.user_id = ? AND m.site_id = ? AND m.kind IN ('weekly', 'monthly') AND d.taken = 1`,
    userId,
    siteId,
  )?.at ?? undefined;

type NewMailing = { siteId: number; kind: string; at: number; now: number; details?: string | undefined };

/** How long mailings are stored. A mailing older than two days is no longer sent, therefore 60 days are enough. */
const KEPT_SECONDS = 60 * DAY;

/**
 * Adds a mailing. Adding an equal mailing again changes nothing. INSERT OR IGNORE is not used here. That statement
 * would also hide other errors, such as a site that does not exist.
 */
const ADD = `INSERT INTO mailing (site_id, kind, at, created_at, details) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (site_id, kind, at) DO NOTHING`;

/**
 * Adds a mailing, unless the site already has one of this kind for this time. Deletes old mailings too. The last
 * mailing of each site and kind stays, because what it reports may not have ended yet. Call this function inside a
 * transaction.
 */
export function addMailing(db: Db, { siteId, kind, at, now, details }: NewMailing): void {
  db.run(ADD, siteId, kind, at, now, details ?? null);
  const last = 'SELECT max(id) FROM mailing GROUP BY site_id, kind';
  db.run(`DELETE FROM mailing WHERE created_at < ? AND id NOT IN (${last})`, now - KEPT_SECONDS);
}

export const endMailing = (db: Db, id: number, now: number): void => {
  db.run('UPDATE mailing SET ended_at = ? WHERE id = ?', now, id);
};

/** Lists the mailings of a kind since a time. Sites whose switch `setting` is off are left out. */
export const listMailings = (db: Db, kind: string, setting: Switch, since: number): Mailing[] =>
  db.all(
    `${MAILING} JOIN site s ON s.id = m.site_id WHERE m.kind = ? AND m.created_at > ? AND s.${setting} = 1 ORDER BY m.id`,
    kind,
    since,
  );

const READERS = `
  SELECT u.id, u.email, u.language FROM site s JOIN account a ON a.id = s.account_id JOIN user u ON u.id = a.user_id
  WHERE s.id = ?
  UNION SELECT u.id, u.email, u.language FROM site JOIN member b ON b.account_id = site.account_id
  JOIN user u ON u.id = b.user_id WHERE site.id = ? AND ${reachesSite('b')}`;

const selectWaiting = (sql: string) => `
  SELECT r.id, r.email, r.language FROM (${READERS}) r
  WHERE NOT EXISTS (SELECT 1 FROM unsubscribed n WHERE n.site_id = ? AND n.user_id = r.id)
    AND NOT EXISTS (SELECT 1 FROM mailed d WHERE d.mailing_id = ? AND d.user_id = r.id) ${sql} ORDER BY r.id`;

const WANTING = selectWaiting('');
const WANTING_SEQUEL = selectWaiting(`AND EXISTS
  (SELECT 1 FROM mailing m JOIN mailed d ON d.mailing_id = m.id
   WHERE m.site_id = ? AND m.kind = ? AND m.at = ? AND d.user_id = r.id AND d.taken = 1)`);

/**
 * Lists the owner and the team members who still wait for a mailing: noteMailed was not called for them, and they have
 * not unsubscribed. `follows` is the kind that must come first: an all-clear follows an alert. With `follows`, only
 * users who received that earlier mailing are listed.
 */
export const listWaiting = (db: Db, { id, siteId, at }: Mailing, follows: string | undefined): Reader[] =>
  follows === undefined
    ? db.all(WANTING, siteId, siteId, siteId, id)
    : db.all(WANTING_SEQUEL, siteId, siteId, siteId, id, siteId, follows, at);

export function noteMailed(db: Db, mailingId: number, userId: number, taken: boolean, now: number): void {
  const sql = 'INSERT OR IGNORE INTO mailed (mailing_id, user_id, taken, sent_at) VALUES (?, ?, ?, ?)';
  db.write(() => db.run(sql, mailingId, userId, taken ? 1 : 0, now));
}
