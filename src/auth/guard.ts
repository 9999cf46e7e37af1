// Decides whether a caller may send a request, and finds the site that a URL names.
//
// Invariant: a site that the caller may not see is answered like a site that does not exist.
//
// Example: a viewer wants to change a goal. `assertRight` throws a 403. api/endpoint.ts and api/hits.ts call these
// functions.

import { Problem } from '../lib/errors.ts';
import { readDomain } from '../lib/http/fields.ts';
import type { Db } from '../store/db.ts';
import {
  assertActive,
  findStanding,
  isBlocked,
  isFirstAccount,
  listManagedAccounts,
} from '../store/people/accounts.ts';
import type { Ability } from '../store/people/tokens.ts';
import { findSite, findSiteByDomain, type Site } from '../store/sites/sites.ts';
import type { Caller } from './identity.ts';
import { hasAbility, mayActAs, type Right } from './roles.ts';

/**
 * Refuses a request if the caller has no right to it. A blocked account is checked first, then the abilities of the
 * token, then the role. A request that changes something is checked a second time, inside its transaction. The right
 * may have been revoked meanwhile.
 */
export function assertRight(db: Db, caller: Caller, right: Right, site: Site | undefined, now: number): void {
  assertAccountActive(db, caller, right, site, now);
  if (!hasAbility(caller.abilities, right.ability)) {
    throw new Problem(CHANGES.includes(right.ability) ? 'read_only_token' : 'token_forbidden');
  }
  if (right.of === 'server' && !isFirstAccount(db, caller.accountId)) throw new Problem('role_forbidden');
  // A request without a site is about the caller's own account. In that account, the caller is the owner.
  if (!mayActAs(site?.role ?? 'owner', right.role)) throw new Problem('role_forbidden');
}

/**
 * If one of these abilities is missing, the answer tells the caller to use a token with the ability `write`. Such a
 * token may also do what `note` permits.
 */
const CHANGES: readonly Ability[] = ['write', 'note'];

function assertAccountActive(db: Db, caller: Caller, right: Right, site: Site | undefined, now: number): void {
  if (right.evenBlocked) return;
  const active = (id: number) => !isBlocked(findStanding(db, id, now));
  // The body names the account that gets the new site, but the body is not read yet. So at this point, one active
  // account is enough.
  if (right.of === 'newSite') {
    if (!listManagedAccounts(db, caller.userId).some(({ id }) => active(id))) throw new Problem('account_blocked');
  } else assertActive(findStanding(db, site?.account_id ?? caller.accountId, now));
}

/**
 * Finds the site that a URL names. Throws 404 if the caller may not see the site, so that strangers do not learn which
 * sites exist.
 */
export function reachSite(db: Db, caller: Caller, key: string): Site {
  const id = parseId(key);
  const { shared } = caller;
  if (shared) {
    if (shared.id !== id && shared.domain !== readDomain(key)) throw new Problem('not_found');
    return shared;
  }
  const site =
    id === undefined ? findSiteByDomain(db, caller.userId, readDomain(key) ?? '') : findSite(db, caller.userId, id);
  if (!site) throw new Problem('not_found');
  return site;
}

export const parseId = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);
