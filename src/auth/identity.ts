// Finds the caller of a request. The caller sends a token (`Authorization: Bearer 12|secret`), the secret of a share
// link (`Authorization: Share slug`), or the cookie of a session. A share link with a password also needs a cookie
// (share-password.ts). In the public demo, a caller without a token, link or session is the guest.
//
// Invariant: a request of an unknown caller fails with 401. After 60 such failures of an IP address in one minute, the
// next ones get 429. A valid request never gets 429 from this limit, so nobody is locked out by another person with the
// same IP address.
//
// The API and MCP call `identify` before they read the body of a request. api/hits.ts calls `identify` for a message of
// the script that a website's server passes on.

import type { Coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { type AddressList, makeAddressKey } from '../lib/http/address.ts';
import type { Headers } from '../lib/http/answer.ts';
import { parseToken } from '../lib/secrets.ts';
import { type Clock, MINUTE, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { findSession, findSignedIn, type SignedIn, touchSession } from '../store/people/sessions.ts';
import { type Ability, findHolder, findToken, touchToken } from '../store/people/tokens.ts';
import { findUserById } from '../store/people/users.ts';
import { findShared, type Share } from '../store/sites/shares.ts';
import type { Site } from '../store/sites/sites.ts';
import { type Incoming, readHeaderEmail } from './header-email.ts';
import type { LimitState, WindowLimit } from './limits.ts';
import { readSecret } from './session.ts';
import { isOpen } from './share-password.ts';

export type Caller = {
  by: 'token' | 'session' | 'share' | 'guest';
  /** The id of the token, the session, the shared site or the guest that identifies the caller. */
  id: number;
  userId: number;
  email: string;
  accountId: number;
  abilities: Ability[];
  /**
   * When the user of this session last entered the password, in seconds since 1970. Ten minutes later, important
   * changes need the password again.
   */
  reauthenticatedAt?: number;
  /** The site that a share link shows. For all other callers, this field is missing. */
  shared?: Site;
  /** The share link of the caller, if it has a name. */
  share?: Share | undefined;
  /**
   * Tells whether the token, session or link still exists. Somebody may revoke it while the body of a request arrives.
   */
  isValid(): boolean;
};

type BearerToken = { id: number; secret: string };

const BEARER = /^Bearer +([^\s]+) *$/i;
const SHARE = /^Share +([0-9A-Za-z]+) *$/i;
/**
 * The schemes of the header Authorization that daybook reads. If a request uses one of them, its cookie is ignored. Any
 * other scheme, such as Basic, is meant for a proxy in front of the server.
 */
const OWN_SCHEME = /^(?:Bearer|Share)(?: |$)/i;

/**
 * The least number of seconds between two writes of the last use of a token or session. If each request stored the time
 * of its use, nearly every read would be a write.
 */
const TOUCH_SECONDS = 60;

const REAUTHENTICATION_SECONDS = 10 * MINUTE;

type IdentifyDeps = {
  db: Db;
  clock: Clock;
  config: { baseUrl: string; authHeader: string | undefined; trust: AddressList };
  limits: { failures: WindowLimit };
  /** In the public demo, every visitor acts as this user. On any other server, this value is undefined. */
  guest: number | undefined;
};

/** Finds the caller of a request. Throws 401 if there is none, or 429 if this IP address has failed too often. */
export function identify(
  { db, clock, config, limits, guest }: IdentifyDeps,
  incoming: Incoming,
  address: () => string,
): Caller {
  const { authorization, cookie } = incoming.headers;
  const now = seconds(clock);
  const token = readToken(authorization);
  const [, slug] = SHARE.exec(authorization ?? '') ?? [];
  const hasScheme = OWN_SCHEME.test(authorization ?? '');
  const secret = hasScheme ? undefined : readSecret(cookie, config.baseUrl);
  const caller =
    (token && findByToken(db, token, now)) ||
    (slug && findByShare({ db, clock, config }, slug, cookie)) ||
    (secret && findBySession(db, secret, now, readHeaderEmail(config, incoming))) ||
    (guest && !hasScheme && findGuest(db, guest));
  if (caller) return caller;
  throw makeUnknownProblem({ clock, limits }, address());
}

/**
 * Reads the token of a request from its header Authorization. Returns undefined if the header has no text that can be a
 * token.
 */
export function readToken(authorization: string | undefined): BearerToken | undefined {
  const [, text] = BEARER.exec(authorization ?? '') ?? [];
  return text === undefined ? undefined : parseToken(text);
}

/** Makes the error for an unknown caller: 401, or 429 if this IP address has failed too often. */
export function makeUnknownProblem(
  { clock, limits }: Pick<IdentifyDeps, 'clock' | 'limits'>,
  address: string,
): Problem {
  const taken = limits.failures.take(makeAddressKey(address));
  return taken.allowed ? new Problem('unauthenticated') : makeRateProblem(clock, taken);
}

function findByToken(db: Db, token: BearerToken, now: number): Caller | undefined {
  const holder = findHolder(db, token.id, token.secret);
  if (!holder) return undefined;
  const { tokenId: id, userId, email, accountId, abilities } = holder;
  touch(holder.lastUsedAt, now, () => touchToken(db, id, now));
  const isValid = () => findToken(db, userId, id) !== undefined;
  return { by: 'token', id, userId, email, accountId, abilities, isValid };
}

/**
 * Finds the caller by the cookie of a session. A session may read and write. What it may change depends on the user's
 * role.
 */
function findBySession(db: Db, secret: string, now: number, vouched: string | undefined): Caller | undefined {
  const signedIn = keepVouched(findSignedIn(db, secret, now), vouched, now);
  if (!signedIn) return undefined;
  const { sessionId: id, userId, email, accountId, reauthenticatedAt } = signedIn;
  touch(signedIn.usedAt, now, () => touchSession(db, id, now));
  const isValid = () => findSession(db, userId, id) !== undefined;
  return { by: 'session', id, userId, email, accountId, abilities: ['read', 'write'], reauthenticatedAt, isValid };
}

/**
 * Finds the caller by a share link, which may only read one site. The caller gets the user id 0 and the account id 0,
 * which nobody has. So all other sites are out of reach.
 */
function findByShare(
  { db, clock, config }: Pick<IdentifyDeps, 'db' | 'clock' | 'config'>,
  slug: string,
  cookie: string | undefined,
): Caller | undefined {
  const find = () => {
    const now = seconds(clock);
    const found = findShared(db, slug, now);
    return found && (!found.share || isOpen({ db, config }, found.share, cookie, now)) ? found : undefined;
  };
  const found = find();
  if (!found) return undefined;
  const { site: shared, share } = found;
  const isValid = () => find() !== undefined;
  const nobody = { userId: 0, email: '', accountId: 0 };
  return { by: 'share', id: shared.id, ...nobody, abilities: ['read'], shared, share, isValid };
}

/**
 * In the public demo, a request without a token, link or session has the guest as its caller. A guest may only read.
 */
function findGuest(db: Db, guest: number): Caller | undefined {
  const user = findUserById(db, guest);
  if (!user) return undefined;
  const { id, email, accountId } = user;
  return { by: 'guest', id, userId: id, email, accountId, abilities: ['read'], isValid: () => true };
}

function touch(last: number | null, now: number, write: () => void): void {
  if (last !== null && now - last < TOUCH_SECONDS) return;
  try {
    write();
  } catch {
    // Reading must work on a full disk, so this error is ignored. A later request writes the time of the last use.
  }
}

/**
 * Compares a session with `vouched`, the e-mail address that a trusted proxy has sent. If `vouched` is undefined, the
 * session stays as it is. If the session belongs to a user with another e-mail address, the session is ignored. If both
 * e-mail addresses are equal, the proxy has just checked the user. So the session counts as if the password had just
 * been typed.
 */
export function keepVouched(
  signedIn: SignedIn | undefined,
  vouched: string | undefined,
  now: number,
): SignedIn | undefined {
  if (vouched === undefined) return signedIn;
  return signedIn?.email === vouched ? { ...signedIn, reauthenticatedAt: now } : undefined;
}

/**
 * Important changes need a password that was typed within the last 10 minutes. So a stolen session cannot make them.
 */
export const isReauthenticated = (reauthenticatedAt: number, now: number): boolean =>
  now - reauthenticatedAt < REAUTHENTICATION_SECONDS;

export function makeRateProblem(
  clock: Clock,
  { resetSeconds }: LimitState,
  headers: Headers = {},
  message?: Coded,
): Problem {
  const reset = seconds(clock) + resetSeconds;
  return new Problem('rate_limited', {
    ...(message ? { message } : {}),
    headers: { ...headers, 'Retry-After': String(resetSeconds), 'X-RateLimit-Reset': String(reset) },
  });
}

export const writeRateHeaders = (
  { limit, windowSeconds }: WindowLimit,
  { remaining, resetSeconds }: LimitState,
): Headers => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
});
