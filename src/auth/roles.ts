import type { Role } from '../store/people/accounts.ts';
import type { Ability } from '../store/people/tokens.ts';

/** What a request needs: an ability of the token, and a role of the user. */
export type Right = {
  ability: Ability;
  /**
   * What the request is about: a site in the URL, the caller's account, or the server. `newSite` is the account that
   * gets a new site.
   */
  of: 'site' | 'account' | 'newSite' | 'server';
  role: Role;
  /**
   * True if the request is allowed even for a blocked account: one without a plan, or with more events than its plan
   * includes. So the owner of such an account can still see why it is blocked.
   */
  evenBlocked?: true;
};

export const RIGHTS = {
  seeAccount: { ability: 'read', of: 'account', role: 'owner', evenBlocked: true },
  readAccount: { ability: 'read', of: 'account', role: 'owner' },
  changeAccount: { ability: 'write', of: 'account', role: 'owner' },
  readServer: { ability: 'read', of: 'server', role: 'owner', evenBlocked: true },
  queryServer: { ability: 'write', of: 'server', role: 'owner' },
  addSite: { ability: 'write', of: 'newSite', role: 'manager' },
  readSite: { ability: 'read', of: 'site', role: 'viewer' },
  exportSite: { ability: 'read', of: 'site', role: 'manager' },
  changeSite: { ability: 'write', of: 'site', role: 'manager' },
  noteSite: { ability: 'note', of: 'site', role: 'manager' },
  collectSite: { ability: 'collect', of: 'site', role: 'manager' },
  removeSite: { ability: 'write', of: 'site', role: 'owner' },
} as const satisfies Record<string, Right>;

const RANK: Record<Role, number> = { viewer: 1, manager: 2, owner: 3 };

export const mayActAs = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];

const INCLUDES: Record<Ability, readonly Ability[]> = {
  read: ['read'],
  write: ['read', 'write', 'collect', 'note'],
  collect: ['collect'],
  note: ['note'],
};

export const hasAbility = (held: readonly Ability[], needed: Ability): boolean =>
  held.some((ability) => INCLUDES[ability].includes(needed));
