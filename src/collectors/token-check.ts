// Checks on a collector whether the server of a website may pass on messages of visitors. Such a request has a token.
//
// Invariant: a collector accepts a token only if the primary accepts it for the same site. A revoked token works until
// the next response of the primary at most, which is about a second.
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
    // The token that was used last becomes the last in the list. A report has only the end of a long list.
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
