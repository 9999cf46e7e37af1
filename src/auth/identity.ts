// The caller of a request is identified by a token, a session or a share link.
//
//   Authorization: Bearer 12|secret    a token
//   Authorization: Share slug          a share link, which shows one site
//   Cookie                             a session, if the request has neither
//
// If none is valid, the request fails with 401. An IP address may fail 60 times in a minute. After that, failing
// requests of this IP address get 429, and valid requests still work. So guessing is slow, and nobody is locked out by
// another person with the same IP address.
//
// The API and MCP call `identify` before anything else.

import type { IncomingHttpHeaders } from 'node:http';
import type { Coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import type { Headers } from '../lib/http/answer.ts';
import { parseToken } from '../lib/secrets.ts';
import { type Clock, MINUTE, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { findSession, findSignedIn, touchSession } from '../store/people/sessions.ts';
import { type Ability, findHolder, findToken, touchToken } from '../store/people/tokens.ts';
import { findSharedSite, type Site } from '../store/sites/sites.ts';
import type { LimitState, WindowLimit } from './limits.ts';
import { readSecret } from './session.ts';

export type Caller = {
  by: 'token' | 'session' | 'share';
  /** The id of what identifies the caller: a token, a session or a shared site. */
  id: number;
  userId: number;
  email: string;
  accountId: number;
  abilities: Ability[];
  /**
   * When the user of this session last entered the password, in seconds since 1970. Important changes need it again
   * after 10 minutes.
   */
  reauthenticatedAt?: number;
  /** The site that a share link shows. Undefined for all other callers. */
  shared?: Site;
  /**
   * Tells whether the token, session or link still exists. Somebody may revoke it while the body of a request arrives.
   */
  isValid(): boolean;
};

const BEARER = /^Bearer +([^\s]+) *$/i;
const SHARE = /^Share +([0-9A-Za-z]+) *$/i;
/**
 * If a request has one of these schemes, its cookie is ignored. Any other scheme, such as Basic, is meant for a proxy
 * in front of the server.
 */
const OWN_SCHEME = /^(?:Bearer|Share)(?: |$)/i;

/**
 * How often the last use of a token or session is written, in seconds. Writing it with each request would make nearly
 * every read a write.
 */
const TOUCH_SECONDS = 60;

const REAUTHENTICATION_SECONDS = 10 * MINUTE;

type IdentifyDeps = { db: Db; clock: Clock; config: { baseUrl: string }; limits: { failures: WindowLimit } };

/** Finds the caller of a request. Throws 401 if there is none, or 429 if this IP address has failed too often. */
export function identify(
  { db, clock, config, limits }: IdentifyDeps,
  headers: IncomingHttpHeaders,
  address: () => string,
): Caller {
  const { authorization, cookie } = headers;
  const now = seconds(clock);
  const [, token] = BEARER.exec(authorization ?? '') ?? [];
  const [, slug] = SHARE.exec(authorization ?? '') ?? [];
  const secret = OWN_SCHEME.test(authorization ?? '') ? undefined : readSecret(cookie, config.baseUrl);
  const caller =
    (token && findByToken(db, token, now)) ||
    (slug && findByShare(db, slug)) ||
    (secret && findBySession(db, secret, now));
  if (caller) return caller;
  const taken = limits.failures.take(makeAddressKey(address()));
  throw taken.allowed ? new Problem('unauthenticated') : makeRateProblem(clock, taken);
}

function findByToken(db: Db, text: string, now: number): Caller | undefined {
  const token = parseToken(text);
  const holder = token && findHolder(db, token.id, token.secret);
  if (!holder) return undefined;
  const { tokenId: id, userId, email, accountId, abilities } = holder;
  touch(holder.lastUsedAt, now, () => touchToken(db, id, now));
  const isValid = () => findToken(db, userId, id) !== undefined;
  return { by: 'token', id, userId, email, accountId, abilities, isValid };
}

/** Finds the caller of a session. A session may read and write; what it may change depends on the user's role. */
function findBySession(db: Db, secret: string, now: number): Caller | undefined {
  const signedIn = findSignedIn(db, secret, now);
  if (!signedIn) return undefined;
  const { sessionId: id, userId, email, accountId, reauthenticatedAt } = signedIn;
  touch(signedIn.usedAt, now, () => touchSession(db, id, now));
  const isValid = () => findSession(db, userId, id) !== undefined;
  return { by: 'session', id, userId, email, accountId, abilities: ['read', 'write'], reauthenticatedAt, isValid };
}

/**
 * Finds the caller of a share link, which may only read one site. No user and no account has the id 0, so all other
 * sites are out of reach.
 */
function findByShare(db: Db, slug: string): Caller | undefined {
  const shared = findSharedSite(db, slug);
  const isValid = () => findSharedSite(db, slug) !== undefined;
  return (
    shared && { by: 'share', id: shared.id, userId: 0, email: '', accountId: 0, abilities: ['read'], shared, isValid }
  );
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
 * Tells whether the user has entered the password in the last 10 minutes. Important changes need this, so that a stolen
 * session cannot make them.
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
