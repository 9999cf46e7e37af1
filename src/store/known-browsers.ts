import { createHmac, timingSafeEqual } from 'node:crypto';
import { linkSecret, type Random } from '../lib/secrets.ts';
import type { Db } from './statements.ts';

/** A browser that has signed in to an account before. */
export type KnownBrowser = { userId: number; id: string };

function findKey(db: Db): Buffer | undefined {
  const row = db.one<{ bytes: Uint8Array }>('SELECT bytes FROM browser_key WHERE one = 1');
  return row && Buffer.from(row.bytes);
}

const signature = (key: Buffer, { userId, id }: KnownBrowser): Buffer =>
  createHmac('sha256', key).update(`browser ${userId} ${id}`).digest();

/** What the cookie of a browser holds: whose it is, a random id, and a signature for which the key in the file is needed. */
export function addKnownBrowser(db: Db, random: Random, userId: number): string {
  // The key is made with the first of them.
  db.run('INSERT OR IGNORE INTO browser_key (one, bytes) VALUES (1, ?)', random(32));
  const browser = { userId, id: linkSecret(random) };
  return `${userId}.${browser.id}.${signature(findKey(db) as Buffer, browser).toString('base64url')}`;
}

const COOKIE = /^([1-9]\d{0,14})\.([0-9A-Za-z]{43})\.([\w-]{43})$/;

export function findKnownBrowser(db: Db, cookie: string): KnownBrowser | undefined {
  const [, user, id, text] = COOKIE.exec(cookie) ?? [];
  const key = findKey(db);
  if (!key || user === undefined || id === undefined || text === undefined) return undefined;
  const browser = { userId: Number(user), id };
  const sent = Buffer.from(text, 'base64url');
  return sent.length === 32 && timingSafeEqual(sent, signature(key, browser)) ? browser : undefined;
}
