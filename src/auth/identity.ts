import { addressKey } from '../lib/address.ts';
import type { Headers } from '../lib/answer.ts';
import { Problem } from '../lib/errors.ts';
import { parseToken } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { findHolder, type Holder, touchToken } from '../store/tokens.ts';
import type { Taken, WindowLimit } from './limits.ts';

export type Caller = Holder;

const BEARER = /^Bearer +([^\s]+) *$/i;

/** How long last_used_at may lag behind, so that reading does not become writing. */
const TOUCH_SECONDS = 60;

/**
 * Who asks. A wrong token is answered with 401, and with 429 from the 61st in a minute and address; good tokens from
 * the same address do not notice.
 */
export function identify(
  db: Db,
  clock: Clock,
  failures: WindowLimit,
  header: string | undefined,
  address: () => string,
) {
  const text = header === undefined ? undefined : BEARER.exec(header)?.[1];
  const token = text === undefined ? undefined : parseToken(text);
  const caller = token && findHolder(db, token.id, token.secret);
  if (!caller) {
    const taken = failures.take(addressKey(address()));
    throw taken.allowed ? new Problem('unauthenticated') : tooMany(clock, taken);
  }
  const now = seconds(clock);
  if (caller.lastUsedAt === null || now - caller.lastUsedAt >= TOUCH_SECONDS) {
    try {
      touchToken(db, caller.tokenId, now);
    } catch {
      // A full disk must not keep anybody from reading; the next request tries again.
    }
  }
  return caller satisfies Caller;
}

export function tooMany(clock: Clock, { resetSeconds }: Taken, headers: Headers = {}, message?: string): Problem {
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
