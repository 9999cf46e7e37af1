import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
/** A clock may be a step behind, or ahead. */
const STEPS = [0, -1, 1] as const;

/** The code of RFC 6238 for a time step: six digits by SHA-1, which is what authenticator apps have in common. */
function codeOf(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The time step to which a code belongs; undefined where it is wrong, or not later than the one that was used last. */
export function stepOf(key: Uint8Array, code: string, now: number, used: number): number | undefined {
  const current = Math.floor(now / STEP_SECONDS);
  return STEPS.map((by) => current + by).find((step) => step > used && codeOf(key, step) === code);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32, which people can type. The length of the bytes is a multiple of five, so that nothing is left over. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => LETTERS[Number.parseInt(five, 2)] ?? '');
}

/** The bytes of a secret in base 32; undefined where it is none. */
export function secretOf(text: string): Buffer | undefined {
  if (!/^[A-Z2-7]{32}$/.test(text)) return undefined;
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app reads from the picture. */
export const otpauth = (email: string, host: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(`daybook ${host}`)}:${encodeURIComponent(email)}?secret=${secret}&issuer=${encodeURIComponent(`daybook ${host}`)}`;
