import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
/**
 * A code is valid for one step of 30 s. A phone's clock may be one step behind or ahead, so three steps are accepted.
 */
const STEPS = [0, -1, 1] as const;

/**
 * Finds the time step of a code from an authenticator app. Returns undefined if the code is wrong, or if this step or a
 * later one was used before. So a code works only once.
 */
export function findStep(key: Uint8Array, code: string, now: number, used: number): number | undefined {
  const current = Math.floor(now / STEP_SECONDS);
  return STEPS.map((by) => current + by).find((step) => step > used && makeCode(key, step) === code);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Makes a code by RFC 6238. SHA-1 is the only hash that all authenticator apps know. */
function makeCode(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Writes bytes in base 32, which has only letters and digits that people can type. The number of bytes must be a
 * multiple of five, so that no bits are left over.
 */
export function writeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => LETTERS[Number.parseInt(five, 2)] ?? '');
}

/** Reads a secret in base 32. Returns undefined unless the text is 32 characters of base 32 (20 bytes). */
export function readBase32(text: string): Buffer | undefined {
  if (!/^[A-Z2-7]{32}$/.test(text)) return undefined;
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Writes the URL that the page shows as a QR code. An authenticator app reads the secret from this URL. */
export const writeOtpauth = (email: string, host: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(`daybook ${host}`)}:${encodeURIComponent(email)}?secret=${secret}&issuer=${encodeURIComponent(`daybook ${host}`)}`;
