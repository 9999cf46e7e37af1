// Secrets: random texts for links and tokens, their hashes, and the keyed hash that makes visitor codes.
//
// Invariant: random bytes are passed in, and each letter of a random text is equally likely. Of tokens, sessions,
// invitations and links for a new password, only hashes are stored.
//
// Example: makeTokenSecret gives `dbk_`, 40 random letters and a checksum of 8 digits. parseToken('12|dbk_…') checks
// the checksum first, so a mistyped token is not looked up in the database. src/api, src/auth, src/cli and src/forms
// make secrets, and collect/visitor.ts makes visitor codes.

import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A function that gives random bytes: `randomBytes` of Node, or in tests a function with known results. */
export type Random = (bytes: number) => Buffer;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Makes a random text in which each letter is equally likely. For 62 letters, bytes of 248 (4 × 62) and more are
 * skipped. Otherwise the first letters would be more likely.
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

/** Makes a code of six digits, which can be guessed. So the caller must limit the number of tries. */
export const makeTypedCode = (random: Random): string => makeRandomText(random, 6, '0123456789');

/** Makes a secret for a link. 43 characters have more than 250 random bits, so nobody can guess the secret. */
export const makeLinkSecret = (random: Random): string => makeRandomText(random, 43);

/**
 * Hashes a secret. Every secret that is hashed here has at least 80 random bits, so nobody can find it by trying. So
 * the hash need not be slow, as a hash of a password must be.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const computeChecksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Makes a token. With the checksum at its end, a mistyped token is refused without a query of the database. */
export function makeTokenSecret(random: Random): string {
  const text = makeRandomText(random, 40);
  return `dbk_${text}${computeChecksum(text)}`;
}

const TOKEN = /^([1-9]\d{0,14})\|(dbk_([0-9A-Za-z]{40})([0-9a-f]{8}))$/;

/** Reads a token of the form `<id>|<secret>`. Returns undefined if the text cannot be a token. */
export function parseToken(text: string): { id: number; secret: string } | undefined {
  const match = TOKEN.exec(text);
  if (!match) return undefined;
  const [, id, secret, random, sum] = match as unknown as [string, string, string, string, string];
  return computeChecksum(random) === sum ? { id: Number(id), secret } : undefined;
}

/**
 * A key of an HMAC, prepared for many texts. An HMAC consists of two hashes. Each hash begins with a block of 64 bytes
 * that depends only on the key. `text` and `hash` are buffers that begin with these blocks and have room behind them.
 */
export type NumberKey = { text: Buffer; hash: Buffer };

const HMAC_BLOCK = 64;
const HASH_BYTES = 32;
/** The most bytes that a UTF-16 unit has in UTF-8. */
const UTF8_BYTES = 3;
/** The room for a text in the buffer. Nearly all texts fit. A longer text gets a larger buffer for one call. */
const TEXT_BYTES = 1_024;

/** Prepares a key of at most 64 bytes: makes the blocks with which the two hashes of an HMAC begin. */
export function makeNumberKey(key: Uint8Array): NumberKey {
  const padded = (pad: number, room: number): Buffer => {
    const block = Buffer.alloc(HMAC_BLOCK + room);
    for (let i = 0; i < HMAC_BLOCK; i++) block[i] = (key[i] ?? 0) ^ pad;
    return block;
  };
  return { text: padded(0x36, TEXT_BYTES), hash: padded(0x5c, HASH_BYTES) };
}

/**
 * Computes the first 53 bits of HMAC-SHA-256, which a JavaScript number holds exactly. An HMAC consists of two hashes,
 * which are computed here one after the other. `createHmac` of Node takes 50 % longer.
 */
export function computeKeyedNumber(key: NumberKey, text: string): number {
  const most = HMAC_BLOCK + UTF8_BYTES * text.length;
  const block = most <= key.text.length ? key.text : Buffer.concat([key.text.subarray(0, HMAC_BLOCK)], most);
  const end = HMAC_BLOCK + block.write(text, HMAC_BLOCK);
  // `binary` makes a text with one character for each byte, which takes half the time of a Buffer.
  key.hash.write(hash('sha256', block.subarray(0, end), 'binary'), HMAC_BLOCK, 'binary');
  // The text contains data of a visitor, so the bytes are overwritten. Otherwise they would stay in memory until the
  // next text replaces them.
  block.fill(0, HMAC_BLOCK, end);
  const digest = hash('sha256', key.hash, 'binary');
  const byte = (i: number): number => digest.charCodeAt(i);
  const upper = byte(0) * 2 ** 24 + ((byte(1) << 16) | (byte(2) << 8) | byte(3));
  return upper * 2 ** 21 + (((byte(4) << 16) | (byte(5) << 8) | byte(6)) >> 3);
}
