// The server of a website may pass on messages of its visitors to a collector. Each of these requests needs a token,
// which this file checks.
//
// Invariant: a collector accepts a token for a site only if the primary accepts the token for this site too. If a token
// is revoked, the collector accepts it until the next response of the primary, which usually comes within a second.
//
// Example: the token of another account gets 404, and an unknown token gets 401. After 60 unknown tokens in a minute,
// an IP address gets 429. compose-collector.ts calls `buildTokenCheck`.
import { makeUnknownProblem, readToken } from '../auth/identity.ts';
import { makeFailureLimit } from '../auth/quotas.ts';
import type { CheckSender } from '../collect/mount.ts';
import { Problem } from '../lib/errors.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { hasCollectToken, mayCollect } from '../store/cluster/collect-tokens.ts';
import type { Db } from '../store/db.ts';
import { findVisitedSite } from '../store/sites/collected-sites.ts';

export type UsedToken = { id: number; at: number };

export function buildTokenCheck(db: Db, clock: Clock) {
  const limits = { failures: makeFailureLimit(clock) };
  const uses = new Map<number, number>();
  const checkSender: CheckSender = ({ authorization }, domain, address) => {
    const token = readToken(authorization);
    if (!token || !hasCollectToken(db, token.id, token.secret)) throw makeUnknownProblem({ limits, clock }, address);
    const now = seconds(clock);
    const site = findVisitedSite(db, domain, now);
    if (!site || !mayCollect(db, token.id, site.id)) throw new Problem('not_found');
    // The token that was used last becomes the last in `uses`. A report lists at most 1,000 tokens: the last ones.
    uses.delete(token.id);
    uses.set(token.id, now);
  };
  return {
    checkSender,
    /** Lists the tokens that were used at the second `from` or later. The primary shows when a token was last used. */
    listUsedSince: (from: number): UsedToken[] =>
      [...uses].filter(([, at]) => at >= from).map(([id, at]) => ({ id, at })),
  };
}

export type TokenCheck = ReturnType<typeof buildTokenCheck>;
