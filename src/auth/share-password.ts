// A share link may have a password. After the right password, a signed cookie opens this one link for 30 days.
//
// Invariant: the cookie contains a hash of the stored hash of the password. So the cookie stops working when the
// password changes. A cookie of one link never opens another link.
//
// The page that asks for the password (forms/share-password.ts) calls `writeOpened`. The page of the link and the API
// call `isOpen`.
import type { Random } from '../lib/secrets.ts';
import { hashSecret } from '../lib/secrets.ts';
import { DAY } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import type { Share } from '../store/sites/shares.ts';
import { readShareCookie, writeShareCookie } from './session.ts';

const OPEN_SECONDS = 30 * DAY;

type Locked = Pick<Share, 'id' | 'password'>;
type Where = { db: Db; config: { baseUrl: string } };

/** True if the link has no password, or if the cookies show that this browser has sent the password. */
export function isOpen(
  { db, config }: Where,
  { id, password }: Locked,
  cookies: string | undefined,
  now: number,
): boolean {
  if (password === null) return true;
  const [kind, share, fingerprint, until] = readSignedWords(db, readShareCookie(cookies, config.baseUrl, id)) ?? [];
  return kind === 'share' && share === String(id) && fingerprint === makeFingerprint(password) && Number(until) > now;
}

export function writeOpened(
  { db, config, random }: Where & { random: Random },
  { id, password }: Locked,
  now: number,
): string {
  const words = ['share', id, makeFingerprint(password ?? ''), now + OPEN_SECONDS];
  return writeShareCookie(config.baseUrl, id, signWords(db, random, words), OPEN_SECONDS);
}

const makeFingerprint = (password: string): string => hashSecret(password).toString('base64url');
