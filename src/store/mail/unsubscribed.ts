// Unsubscribed users get no mails about a site. Each mail ends with a link that works without signing in. The link has
// a secret: the ids of site and user, and a signature.
//
// Invariant: a link works only for its own site and user. Making a link needs the key from the database file.
//
// Example: the secret of user 17 for site 3 is `3-17-`, followed by 32 characters of signature. src/mail writes the
// links, and forms/unsubscribe.ts reads them with findSubscriber.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

export type Subscription = { siteId: number; userId: number };

const SIGNATURE_BYTES = 24;

/** Finds the key that signs the links for unsubscribing. The first call makes the key. */
export function makeMailKey(db: Db, random: Random): Buffer {
  return (
    findKey(db) ??
    db.write(() => {
      db.run('INSERT OR IGNORE INTO mail_key (one, bytes) VALUES (1, ?)', random(32));
      return findKey(db) as Buffer;
    })
  );
}

function findKey(db: Db): Buffer | undefined {
  const row = db.one<{ bytes: Uint8Array }>('SELECT bytes FROM mail_key WHERE one = 1');
  return row && Buffer.from(row.bytes);
}

const sign = (key: Buffer, { siteId, userId }: Subscription): Buffer =>
  createHmac('sha256', key).update(`unsubscribe ${siteId} ${userId}`).digest().subarray(0, SIGNATURE_BYTES);

/** Makes the secret of a link: the ids of the site and the user, and a signature of 192 bits. */
export const writeUnsubscribeSecret = (key: Buffer, of: Subscription): string =>
  `${of.siteId}-${of.userId}-${sign(key, of).toString('base64url')}`;

const SECRET = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([\w-]{32})$/;

export type Subscriber = Subscription & { domain: string; email: string; isUnsubscribed: boolean };

/**
 * Finds the user and the site of a link. Returns undefined if the signature is wrong, or if the user or the site was
 * deleted. A user who has left the team is still found, so the links in old mails still work.
 */
export function findSubscriber(db: Db, secret: string): Subscriber | undefined {
  const [, site, user, text = ''] = SECRET.exec(secret) ?? [];
  const key = findKey(db);
  if (!key || site === undefined || user === undefined) return undefined;
  const of = { siteId: Number(site), userId: Number(user) };
  const sent = Buffer.from(text, 'base64url');
  if (sent.length !== SIGNATURE_BYTES || !timingSafeEqual(sent, sign(key, of))) return undefined;
  const row = db.one<{ domain: string; email: string; gone: 0 | 1 }>(
    `SELECT s.domain, u.email,
            EXISTS (SELECT 1 FROM unsubscribed n WHERE n.site_id = s.id AND n.user_id = u.id) AS gone
     FROM site s CROSS JOIN user u WHERE s.id = ? AND u.id = ?`,
    of.siteId,
    of.userId,
  );
  return row && { ...of, domain: row.domain, email: row.email, isUnsubscribed: row.gone === 1 };
}

export function addUnsubscribed(db: Db, { siteId, userId }: Subscription, now: number): void {
  const sql = 'INSERT OR IGNORE INTO unsubscribed (site_id, user_id, created_at) VALUES (?, ?, ?)';
  db.write(() => db.run(sql, siteId, userId, now));
}

export function removeUnsubscribed(db: Db, { siteId, userId }: Subscription): void {
  db.write(() => db.run('DELETE FROM unsubscribed WHERE site_id = ? AND user_id = ?', siteId, userId));
}
