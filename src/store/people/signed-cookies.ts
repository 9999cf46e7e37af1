import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/**
 * Joins words to the text of a cookie or a link, and signs the text with a key that only this server's database file
 * has. Therefore a user cannot change the words. The words are joined by dots, therefore no word may contain a dot.
 */
export function signWords(db: Db, random: Random, words: readonly (string | number)[]): string {
  const text = words.join('.');
  // The key is made when the first text is signed, and then stays the same.
  const key =
    findKey(db) ??
    db.write(() => {
      db.run('INSERT OR IGNORE INTO cookie_key (one, bytes) VALUES (1, ?)', random(32));
      return findKey(db) as Buffer;
    });
  return `${text}.${sign(key, text)}`;
}

function findKey(db: Db): Buffer | undefined {
  const row = db.one<{ bytes: Uint8Array }>('SELECT bytes FROM cookie_key WHERE one = 1');
  return row && Buffer.from(row.bytes);
}

/** Returns the words of a signed text. Returns undefined if the signature was not made with this server's key. */
export function readSignedWords(db: Db, cookie: string): string[] | undefined {
  const key = findKey(db);
  const end = cookie.lastIndexOf('.');
  if (!key || end < 0) return undefined;
  const text = cookie.slice(0, end);
  // Signatures are compared as base64url text. Four different texts mean the same 32 bytes, and comparing bytes would
  // accept all four.
  const [sent, expected] = [Buffer.from(cookie.slice(end + 1)), Buffer.from(sign(key, text))];
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? text.split('.') : undefined;
}
