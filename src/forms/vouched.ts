// Finds the account of a person for whom another server vouches: a provider by OpenID Connect, or a proxy. That server
// has verified the e-mail address.
//
// Invariant: a person with an account is signed in to this account. A person without an account gets an account only if
// one of two conditions is met. Either the person has opened an invitation for this e-mail address, or a claim gives
// the person a role (--oidc-claim). A claim is a value that the provider sends about the person, such as a group. In
// the second case, the person joins the team of the first account, which belongs to the operator. A claim never changes
// a role later, and never brings back a person whom the owner has removed. A person with an account does not join a
// team here. A page asks the person first (join.ts). If password sign-in is off, signing in removes the password of an
// account, and ends its other sessions.
//
// Example: kim@example.com signs in for the first time, and the group "analysts" gives the role viewer. Kim gets an
// account and joins as a viewer. oidc.ts and sign-in.ts call `findVouchedUser`.

import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { seconds } from '../lib/time.ts';
import { findFirstAccount } from '../store/people/accounts.ts';
import { GUEST } from '../store/people/plans.ts';
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
  inviteMember,
  listMembers,
  type MemberRole,
} from '../store/people/team.ts';
import { addUser, findUser, removePassword } from '../store/people/users.ts';
import { recordOnPage } from './audit.ts';
import { writeJoinPath } from './join.ts';
import type { Pages } from './link.ts';

type Vouched = { email: string; role?: MemberRole | undefined };

/**
 * Finds the user, or makes one. `next` is the path to which the browser returns after signing in. If `next` is the link
 * of an invitation, a new person joins the team at once. A person with an account gets the path of another page. That
 * page asks whether the person wants to join the team (join.ts).
 */
export function findVouchedUser(pages: Pages, { email, role }: Vouched, next: string): { id: number; next: string } {
  const { db, clock, config, log } = pages;
  const now = seconds(clock);
  return db.write(() => {
    const user = findUser(db, email);
    // Another person may have made the account with this e-mail address and a password, before passwords were off.
    if (user && user.password !== null && !config.passwordSignIn)
      log('password removed, because password sign-in is off', { user: user.id, ...removePassword(db, user.id) });
    const opened = findOpened(pages, email, next, now);
    if (user) return { id: user.id, next: opened ? writeJoinPath(pages, user.id, opened.secret) : next };
    const invitation = opened?.invitation ?? inviteByRole(pages, email, role, now);
    if (!invitation) throw new Problem('role_forbidden', { message: coded('not_admitted', { email }) });
    const { id } = addUser(db, { email, password: null, now, plan: GUEST });
    acceptInvitation(db, invitation, id);
    recordOnPage(pages, id, { action: 'add', noun: 'team', name: email }, invitation.accountId);
    return { id, next: opened ? '/' : next };
  });
}

const INVITATION = /^\/invite\/([0-9A-Za-z]+)$/;

type Opened = { secret: string; invitation: Invitation };

function findOpened({ db }: Pages, email: string, next: string, now: number): Opened | undefined {
  const [, secret = ''] = INVITATION.exec(next) ?? [];
  const invitation = secret === '' ? undefined : findInvitation(db, secret, now);
  return invitation?.email === email ? { secret, invitation } : undefined;
}

/**
 * Invites the person to the team of the first account, with the role of the claim. Returns undefined if no claim gives
 * a role. Throws if the plan of that account allows no further member. If the owner has invited the person already, the
 * role and the sites of that invitation stay.
 */
function inviteByRole(
  { db, random }: Pages,
  email: string,
  role: MemberRole | undefined,
  now: number,
): Invitation | undefined {
  const first = findFirstAccount(db);
  if (!first || role === undefined) return undefined;
  const secret = makeLinkSecret(random);
  const { role: ownRole = role, sites } = listMembers(db, first.id).find((member) => member.email === email) ?? {};
  inviteMember(db, { accountId: first.id, owner: first.owner, email, role: ownRole, sites, secret, now });
  return findInvitation(db, secret, now);
}
