import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** So many random bytes; node's randomBytes outside tests. */
export type Random = (bytes: number) => Buffer;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, each equally likely: bytes above the last whole multiple of their number are thrown away. */
export function randomText(random: Random, length: number, letters = BASE62): string {
  const end = 256 - (256 % letters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < end && text.length < length) text += letters[byte % letters.length];
    }
  }
  return text;
}

/** Six digits to type in; good only together with a limit of tries. */
export const typedCode = (random: Random): string => randomText(random, 6, '0123456789');

/** 43 characters, more than 250 bits: for links that sign somebody in once. */
export const linkSecret = (random: Random): string => randomText(random, 43);

/** What is stored in place of a secret. A plain hash is enough because everything here has over 112 random bits. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** The secret half of a token: its checksum lets a mistyped one be refused before the database is asked. */
export function tokenSecret(random: Random): string {
  const text = randomText(random, 40);
  return `dbk_${text}${checksum(text)}`;
}

const TOKEN = /^([1-9]\d{0,14})\|(dbk_([0-9A-Za-z]{40})([0-9a-f]{8}))$/;

/** The parts of `<id>|<secret>`; undefined where it cannot be a token of ours. */
export function parseToken(text: string): { id: number; secret: string } | undefined {
  const match = TOKEN.exec(text);
  if (!match) return undefined;
  const [, id, secret, random, sum] = match as unknown as [string, string, string, string, string];
  return checksum(random) === sum ? { id: Number(id), secret } : undefined;
}

/**
 * The number that stands for a text under a key: the first 53 bits of its HMAC, which is what a number holds exactly. The key
 * is a key object, because node would make one of bytes each time, which takes four times as long as the rest.
 */
export function keyedNumber(key: KeyObject, text: string): number {
  // As hex, which node makes in three quarters of the time that it needs for a buffer.
  const digest = createHmac('sha256', key).update(text).digest('hex');
  return Number.parseInt(digest.slice(0, 7), 16) * 2 ** 25 + (Number.parseInt(digest.slice(7, 14), 16) >> 3);
}
