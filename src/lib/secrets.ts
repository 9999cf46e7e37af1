import { createHash, hash } from 'node:crypto';
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
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

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

/** The key of an HMAC: the block that comes before its text, and the one before its first hash, with room for what follows. */
export type NumberKey = { text: Buffer; hash: Buffer };

const HMAC_BLOCK = 64;
const HASH_BYTES = 32;
/** That a UTF-16 code unit takes at most. */
const UTF8_BYTES = 3;
/** Nearly all texts fit, so that no block is copied for them. */
const TEXT_BYTES = 1_024;

/** Makes the blocks once, of a key that is no longer than one. */
export function numberKey(key: Uint8Array): NumberKey {
  const padded = (pad: number, room: number): Buffer => {
    const block = Buffer.alloc(HMAC_BLOCK + room);
    for (let i = 0; i < HMAC_BLOCK; i++) block[i] = (key[i] ?? 0) ^ pad;
    return block;
  };
  return { text: padded(0x36, TEXT_BYTES), hash: padded(0x5c, HASH_BYTES) };
}

/**
 * The number that stands for a text under a key: the first 53 bits of its HMAC-SHA-256, which is what a number holds exactly. Of two
 * hashes, because node's own HMAC makes objects outside of JavaScript, with which it takes half as long again.
 */
export function keyedNumber(key: NumberKey, text: string): number {
  const most = HMAC_BLOCK + UTF8_BYTES * text.length;
  const block = most <= key.text.length ? key.text : Buffer.concat([key.text.subarray(0, HMAC_BLOCK)], most);
  const end = HMAC_BLOCK + block.write(text, HMAC_BLOCK);
  // As binary text, in which each byte is a character: that takes half as long as Buffers.
  key.hash.write(hash('sha256', block.subarray(0, end), 'binary'), HMAC_BLOCK, 'binary');
  // The key may wait long for its next text, and this one names a visitor.
  block.fill(0, HMAC_BLOCK, end);
  const digest = hash('sha256', key.hash, 'binary');
  const byte = (i: number): number => digest.charCodeAt(i);
  const upper = byte(0) * 2 ** 24 + ((byte(1) << 16) | (byte(2) << 8) | byte(3));
  return upper * 2 ** 21 + (((byte(4) << 16) | (byte(5) << 8) | byte(6)) >> 3);
}
