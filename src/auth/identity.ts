import type { IncomingHttpHeaders } from 'node:http';
import type { Coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { addressKey } from '../lib/http/address.ts';
import type { Headers } from '../lib/http/answer.ts';
import { parseToken } from '../lib/secrets.ts';
import { type Clock, MINUTE, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { findSession, findSignedIn, touchSession } from '../store/people/sessions.ts';
import { type Ability, findHolder, findToken, touchToken } from '../store/people/tokens.ts';
import { findSharedSite, type Site } from '../store/sites/sites.ts';
import type { Taken, WindowLimit } from './limits.ts';
import { secretIn } from './session.ts';

/** Who asks: somebody with a token, somebody who is signed in, or anybody with the share link of a site. */
export type Caller = {
  by: 'token' | 'session' | 'share';
  /** Of the token, the session or the shared site. */
  id: number;
  userId: number;
  email: string;
  accountId: number;
  abilities: Ability[];
  /** When somebody who is signed in last showed who they are. */
  provedAt?: number;
  /** The only site that a share link shows. */
  shared?: Site;
  /** Whether the token, session or link still works: it may have been revoked since the request began. */
  isValid(): boolean;
};

const BEARER = /^Bearer +([^\s]+) *$/i;
const SHARE = /^Share +([0-9A-Za-z]+) *$/i;
/** With these schemes a cookie is ignored. Any other, such as Basic, is meant for a proxy in front of the server. */
const OWN_SCHEME = /^(?:Bearer|Share)(?: |$)/i;

/** The time of the last use is written only once in so many seconds, so that not every read becomes a write. */
const TOUCH_SECONDS = 60;

function touch(last: number | null, now: number, write: () => void): void {
  if (last !== null && now - last < TOUCH_SECONDS) return;
  try {
    write();
  } catch {
    // A full disk must not keep anybody from reading; the next request tries again.
  }
}

function byToken(db: Db, text: string, now: number): Caller | undefined {
  const token = parseToken(text);
  const holder = token && findHolder(db, token.id, token.secret);
  if (!holder) return undefined;
  const { tokenId: id, userId, email, accountId, abilities } = holder;
  touch(holder.lastUsedAt, now, () => touchToken(db, id, now));
  const isValid = () => findToken(db, userId, id) !== undefined;
  return { by: 'token', id, userId, email, accountId, abilities, isValid };
}

const REAUTHENTICATION_SECONDS = 10 * MINUTE;

/** Whether somebody has shown lately enough who they are, for what a stolen session must not do. */
export const isReauthenticated = (provedAt: number, now: number): boolean => now - provedAt < REAUTHENTICATION_SECONDS;

/** A session may do all that the role of its user allows. */
function bySession(db: Db, secret: string, now: number): Caller | undefined {
  const signedIn = findSignedIn(db, secret, now);
  if (!signedIn) return undefined;
  const { sessionId: id, userId, email, accountId, provedAt } = signedIn;
  touch(signedIn.usedAt, now, () => touchSession(db, id, now));
  const isValid = () => findSession(db, userId, id) !== undefined;
  return { by: 'session', id, userId, email, accountId, abilities: ['read', 'write'], provedAt, isValid };
}

/** No user and no account has the id 0, so that a share link finds nothing but its site. */
function byShare(db: Db, slug: string): Caller | undefined {
  const shared = findSharedSite(db, slug);
  const isValid = () => findSharedSite(db, slug) !== undefined;
  return (
    shared && { by: 'share', id: shared.id, userId: 0, email: '', accountId: 0, abilities: ['read'], shared, isValid }
  );
}

type Deps = { db: Db; clock: Clock; config: { baseUrl: string }; limits: { failures: WindowLimit } };

/**
 * Who asks. Without a valid token, session or link the answer is 401, and from the 61st such request of an address in a
 * minute on 429. Requests that are valid are answered from that address too.
 */
export function identify(
  { db, clock, config, limits }: Deps,
  headers: IncomingHttpHeaders,
  address: () => string,
): Caller {
  const { authorization, cookie } = headers;
  const now = seconds(clock);
  const [, token] = BEARER.exec(authorization ?? '') ?? [];
  const [, slug] = SHARE.exec(authorization ?? '') ?? [];
  const secret = OWN_SCHEME.test(authorization ?? '') ? undefined : secretIn(cookie, config.baseUrl);
  const caller =
    (token && byToken(db, token, now)) || (slug && byShare(db, slug)) || (secret && bySession(db, secret, now));
  if (caller) return caller;
  const taken = limits.failures.take(addressKey(address()));
  throw taken.allowed ? new Problem('unauthenticated') : tooMany(clock, taken);
}

export function tooMany(clock: Clock, { resetSeconds }: Taken, headers: Headers = {}, message?: Coded): Problem {
  const reset = seconds(clock) + resetSeconds;
  return new Problem('rate_limited', {
    ...(message ? { message } : {}),
    headers: { ...headers, 'Retry-After': String(resetSeconds), 'X-RateLimit-Reset': String(reset) },
  });
}

export const rateHeaders = ({ limit, windowSeconds }: WindowLimit, { remaining, resetSeconds }: Taken): Headers => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
});
