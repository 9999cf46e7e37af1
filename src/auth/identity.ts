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
  /** The id of the token, the session or the shared site, as `by` says. */
  id: number;
  userId: number;
  email: string;
  accountId: number;
  abilities: Ability[];
  /** When the user of this session last typed the password again, in seconds since 1970. */
  reauthenticatedAt?: number;
  /** Only for a share link: the site that the link shows. */
  shared?: Site;
  /** Checks that nobody has revoked the token, session or link while the body of the request arrived. */
  isValid(): boolean;
};

const BEARER = /^Bearer +([^\s]+) *$/i;
const SHARE = /^Share +([0-9A-Za-z]+) *$/i;
/**
 * If a request has one of these schemes, its cookie is ignored. Other schemes, such as Basic, are for a proxy in front
 * of the server.
 */
const OWN_SCHEME = /^(?:Bearer|Share)(?: |$)/i;

/** The time of the last use is written at most once in this time. Otherwise nearly every read would cause a write. */
const TOUCH_SECONDS = 60;

const REAUTHENTICATION_SECONDS = 10 * MINUTE;

type IdentifyDeps = { db: Db; clock: Clock; config: { baseUrl: string }; limits: { failures: WindowLimit } };

/** Throws 401 if no caller is found, or 429 after too many failures. */
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

/** Finds the caller of a session. A session has all abilities; the role of the user limits what they allow. */
function findBySession(db: Db, secret: string, now: number): Caller | undefined {
  const signedIn = findSignedIn(db, secret, now);
  if (!signedIn) return undefined;
  const { sessionId: id, userId, email, accountId, reauthenticatedAt } = signedIn;
  touch(signedIn.usedAt, now, () => touchSession(db, id, now));
  const isValid = () => findSession(db, userId, id) !== undefined;
  return { by: 'session', id, userId, email, accountId, abilities: ['read', 'write'], reauthenticatedAt, isValid };
}

/** Finds the caller of a share link. No user and no account has the id 0, so the caller can reach only this site. */
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
    // Reading must work on a full disk, so an error is ignored. The next request writes the time of use.
  }
}

/**
 * Whether the user has typed the password again in the last 10 minutes. Without this check, a stolen session could do
 * everything.
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
