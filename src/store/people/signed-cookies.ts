import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

function findKey(db: Db): Buffer | undefined {
  const row = db.one<{ bytes: Uint8Array }>('SELECT bytes FROM cookie_key WHERE one = 1');
  return row && Buffer.from(row.bytes);
}

const signature = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** Words for a cookie, none of them with a dot, with a signature for which the key in the file is needed. */
export function signed(db: Db, random: Random, words: readonly (string | number)[]): string {
  const text = words.join('.');
  // The key is made with the first of them.
  const key =
    findKey(db) ??
    db.write(() => {
      db.run('INSERT OR IGNORE INTO cookie_key (one, bytes) VALUES (1, ?)', random(32));
      return findKey(db) as Buffer;
    });
  return `${text}.${signature(key, text)}`;
}

/** The words of a cookie, if this server has signed them. */
export function wordsIn(db: Db, cookie: string): string[] | undefined {
  const key = findKey(db);
  const end = cookie.lastIndexOf('.');
  if (!key || end < 0) return undefined;
  const text = cookie.slice(0, end);
  // The signature is compared as it is written, because four last characters are the same 32 bytes.
  const [sent, expected] = [Buffer.from(cookie.slice(end + 1)), Buffer.from(signature(key, text))];
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? text.split('.') : undefined;
}
