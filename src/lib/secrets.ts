// Secrets: random texts for links and tokens, their hashes, and the keyed hash that makes visitor codes.
//
// Invariant: randomness is passed in, and each letter of a random text is equally likely. Only hashes of secrets are
// stored.
//
// Example: tokenSecret gives `dbk_`, 40 random letters and 8 digits of a checksum. parseToken('12|dbk_…') checks these
// 8 digits first, so a mistyped token costs no query. src/auth and src/forms make secrets, and collect/visitor.ts makes
// visitor codes.

import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Gives a number of random bytes. Outside tests this is node's randomBytes. */
export type Random = (bytes: number) => Buffer;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Makes a random text in which each letter is equally likely. Bytes above the last whole multiple of the number of
 * letters are skipped.
 */
export function makeRandomText(random: Random, length: number, letters = BASE62): string {
  const end = 256 - (256 % letters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < end && text.length < length) text += letters[byte % letters.length];
    }
  }
  return text;
}

/** Makes a code of six digits to type in. Such a code is safe only with a limit of tries. */
export const makeTypedCode = (random: Random): string => makeRandomText(random, 6, '0123456789');

/** Makes the secret of a link: 43 characters, more than 250 bits. */
export const makeLinkSecret = (random: Random): string => makeRandomText(random, 43);

/** Hashes a secret for storing. A plain hash is enough, because every secret here has over 112 random bits. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const computeChecksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Makes the secret half of a token. Its checksum reveals a mistyped token before the database is asked. */
export function makeTokenSecret(random: Random): string {
  const text = makeRandomText(random, 40);
  return `dbk_${text}${computeChecksum(text)}`;
}

const TOKEN = /^([1-9]\d{0,14})\|(dbk_([0-9A-Za-z]{40})([0-9a-f]{8}))$/;

/** Reads a token `<id>|<secret>`; undefined if it cannot be one. */
export function parseToken(text: string): { id: number; secret: string } | undefined {
  const match = TOKEN.exec(text);
  if (!match) return undefined;
  const [, id, secret, random, sum] = match as unknown as [string, string, string, string, string];
  return computeChecksum(random) === sum ? { id: Number(id), secret } : undefined;
}

/** The key of an HMAC, as the two blocks that come before its inner and its outer text. Each has room for that text. */
export type NumberKey = { text: Buffer; hash: Buffer };

const HMAC_BLOCK = 64;
const HASH_BYTES = 32;
/** The bytes that a UTF-16 unit takes at most in UTF-8. */
const UTF8_BYTES = 3;
/** Room for a text. Nearly all texts fit, so no block is copied for them. */
const TEXT_BYTES = 1_024;

/** Makes the blocks of a key that is no longer than a block. */
export function makeNumberKey(key: Uint8Array): NumberKey {
  const padded = (pad: number, room: number): Buffer => {
    const block = Buffer.alloc(HMAC_BLOCK + room);
    for (let i = 0; i < HMAC_BLOCK; i++) block[i] = (key[i] ?? 0) ^ pad;
    return block;
  };
  return { text: padded(0x36, TEXT_BYTES), hash: padded(0x5c, HASH_BYTES) };
}

/**
 * Computes the number of a text under a key: the first 53 bits of its HMAC-SHA-256, which a JavaScript number holds
 * exactly. The HMAC is made of two hashes, because node's own HMAC takes half as long again.
 */
export function computeKeyedNumber(key: NumberKey, text: string): number {
  const most = HMAC_BLOCK + UTF8_BYTES * text.length;
  const block = most <= key.text.length ? key.text : Buffer.concat([key.text.subarray(0, HMAC_BLOCK)], most);
  const end = HMAC_BLOCK + block.write(text, HMAC_BLOCK);
  // Binary text has one character for each byte, and takes half as long as Buffers.
  key.hash.write(hash('sha256', block.subarray(0, end), 'binary'), HMAC_BLOCK, 'binary');
  // Clears the text, which names a visitor: the key may wait long for its next text.
  block.fill(0, HMAC_BLOCK, end);
  const digest = hash('sha256', key.hash, 'binary');
  const byte = (i: number): number => digest.charCodeAt(i);
  const upper = byte(0) * 2 ** 24 + ((byte(1) << 16) | (byte(2) << 8) | byte(3));
  return upper * 2 ** 21 + (((byte(4) << 16) | (byte(5) << 8) | byte(6)) >> 3);
}
