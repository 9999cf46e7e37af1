import type { Account } from '../../api/account.ts';
import type { Team } from '../../api/team.ts';
import { useData } from '../core/api.ts';
import { t } from '../core/texts.ts';

export type Owner = { id: number; name: string };

/**
 * Lists the accounts to which the user may add a site. The user's own account comes first. If its plan allows no sites,
 * it is left out.
 */
export function ownersFor({ id, email, limits }: Account, { teams }: Team): Owner[] {
  const own = limits.sites === 0 ? [] : [{ id, name: t('Your account ({email})', { email }) }];
  const managed = teams.filter(({ role, sites }) => role === 'manager' && sites === null);
  return [...own, ...managed.map(({ account_id, owner }) => ({ id: account_id, name: owner }))];
}

/** Loads the accounts to which the user may add a site. Returns undefined while they are loading. */
export function useOwners(isWanted = true): Owner[] | undefined {
  const account = useData<Account>(isWanted ? '/account' : undefined);
  const team = useData<Team>(isWanted ? '/team' : undefined);
  return account.data && team.data && ownersFor(account.data, team.data);
}
