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
import { findSite, findSiteByDomain, type Site } from '../store/sites/sites.ts';
import type { Caller } from './identity.ts';
import { hasAbility, mayActAs, type Right } from './roles.ts';

/** The id that stands in a path, if the text can be one. */
export const idOf = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

/** The site that a path names by id or domain, as long as the caller may see it. */
export function reachSite(db: Db, caller: Caller, key: string): Site {
  const id = idOf(key);
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

function assertAccountActive(db: Db, caller: Caller, right: Right, site: Site | undefined, now: number): void {
  if (right.evenBlocked) return;
  const active = (id: number) => !isBlocked(findStanding(db, id, now));
  // The body, which is read later, says which account a new site goes to; one that may take it is enough here.
  if (right.of === 'newSite') {
    if (!listManagedAccounts(db, caller.userId).some(({ id }) => active(id))) throw new Problem('account_blocked');
  } else assertActive(findStanding(db, site?.account_id ?? caller.accountId, now));
}

/**
 * Refuses what the caller may not do, in the order that tells a stranger least: a site that the caller cannot see is not
 * found (reachSite, before this), then comes a blocked account, then what the token may not do, then what the role does not
 * allow. Called again inside the transaction that makes a change, so that a right that was taken away meanwhile is gone.
 */
export function assertRight(db: Db, caller: Caller, right: Right, site: Site | undefined, now: number): void {
  assertAccountActive(db, caller, right, site, now);
  if (!hasAbility(caller.abilities, right.ability)) {
    throw new Problem(right.ability === 'write' ? 'read_only_token' : 'token_forbidden');
  }
  if (right.of === 'server' && !isFirstAccount(db, caller.accountId)) throw new Problem('role_forbidden');
  // Everybody is the owner of their own account.
  if (!mayActAs(site?.role ?? 'owner', right.role)) throw new Problem('role_forbidden');
}
