// The team of an account: its members, and the invitations that are still open. A member is a viewer or a manager. The
// role is for all sites of the account, or for some of them (member-sites.ts).
//
// Invariant: an open invitation counts towards the plan's limit of members, because it may be accepted at any time. Its
// links work until the person joins, for up to 5 days. If the person is invited again, the earlier links stop working.
//
// Example: the owner invites `kim@example.com`. One link is mailed to Kim, another one is shown to the owner. Kim opens
// the mailed link. Then isMailed is true, and Kim need not enter a code. api/team.ts and src/forms use this file.

import { coded } from '../../lang/coded.ts';
import { invalid } from '../../lib/errors.ts';
import { hashSecret } from '../../lib/secrets.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';
import { findStanding, refuseBeyondLimit } from './accounts.ts';
import { changeMemberSites, MEMBER_SITES, type MemberSites, readSites } from './member-sites.ts';

export type MemberRole = 'viewer' | 'manager';

export type Member = {
  id: number;
  email: string;
  role: MemberRole;
  sites: MemberSites;
  status: 'active' | 'invited';
  created_at: number;
};

const INVITATION_SECONDS = 5 * DAY;

const MEMBER = `
  SELECT id, email, role, ${MEMBER_SITES}, CASE WHEN user_id IS NULL THEN 'invited' ELSE 'active' END AS status, created_at
  FROM member WHERE account_id = ?`;

/** A row of a query about members or teams, before its column `sites` is read from JSON. */
type Row<Member> = Omit<Member, 'sites'> & { sites: string | null };

export const listMembers = (db: Db, accountId: number): Member[] =>
  db.all<Row<Member>>(`${MEMBER} ORDER BY id`, accountId).map(readSites);

export const findMember = (db: Db, accountId: number, id: number): Member | undefined =>
  db.all<Row<Member>>(`${MEMBER} AND id = ?`, accountId, id).map(readSites)[0];

type TeamOfUser = { account_id: number; owner: string; role: MemberRole; sites: MemberSites };

/** Lists the teams of a user. The user's own account is not in the list. */
export const listTeams = (db: Db, userId: number): TeamOfUser[] =>
  db
    .all<Row<TeamOfUser>>(
      `SELECT account_id, u.email AS owner, role, ${MEMBER_SITES} FROM member
       JOIN account a ON a.id = account_id JOIN user u ON u.id = a.user_id WHERE member.user_id = ? ORDER BY account_id`,
      userId,
    )
    .map(readSites);

type NewInvitation = {
  accountId: number;
  owner: string;
  email: string;
  role: MemberRole;
  /** The sites that the member reaches. Without this field, the member reaches all sites. */
  sites?: MemberSites | undefined;
  /** The secret of the link that is shown to the inviting user. */
  secret: string;
  /** The secret of the link that is mailed to the invited person. */
  mailedSecret?: string | undefined;
  now: number;
};

/**
 * Invites an e-mail address to a team. If there is an open invitation already, its links, role and sites are replaced.
 * Throws for the owner and for members, and if the team would have more members than the plan allows. Open invitations
 * count as members for this limit. Call this function inside a transaction.
 */
export function inviteMember(db: Db, invitation: NewInvitation): Member {
  const { accountId, owner, email, role, sites = null, now } = invitation;
  if (email === owner) throw invalid({ email: coded('own_email') });
  const member = listMembers(db, accountId).find((one) => one.email === email);
  if (member?.status === 'active') throw invalid({ email: coded('in_team', { email }) });
  const { members: limit } = findStanding(db, accountId, now);
  const taken = listMembers(db, accountId).length + (member ? 0 : 1);
  if (limit !== null && taken > limit) throw refuseBeyondLimit(limit, 'member');

  const id = member?.id ?? addMember(db, invitation);
  changeMember(db, id, { role, sites });
  replaceInvitation(db, id, invitation);
  return { id, email, role, sites, status: 'invited', created_at: member?.created_at ?? now };
}

const addMember = (db: Db, { accountId, email, role, now }: NewInvitation): number =>
  db.run('INSERT INTO member (account_id, email, role, created_at) VALUES (?, ?, ?, ?)', accountId, email, role, now)
    .id;

/**
 * Makes new links for an open invitation. The earlier links stop working. The invited person may have got a code by
 * e-mail for an earlier link. This code stops working too.
 */
function replaceInvitation(db: Db, memberId: number, { secret, mailedSecret, now }: NewInvitation): void {
  db.run('DELETE FROM invitation WHERE member_id = ?', memberId);
  db.run(
    'INSERT INTO invitation (member_id, hash, mailed_hash, expires_at) VALUES (?, ?, ?, ?)',
    memberId,
    hashSecret(secret),
    mailedSecret === undefined ? null : hashSecret(mailedSecret),
    now + INVITATION_SECONDS,
  );
}

type MemberChange = { role?: MemberRole | undefined; sites?: MemberSites | undefined };

export function changeMember(db: Db, id: number, { role, sites }: MemberChange): void {
  if (role !== undefined) db.run('UPDATE member SET role = ? WHERE id = ?', role, id);
  if (sites !== undefined) changeMemberSites(db, id, sites);
}

export const removeMember = (db: Db, accountId: number, id: number): void => {
  db.run('DELETE FROM member WHERE account_id = ? AND id = ?', accountId, id);
};

export type Invitation = {
  memberId: number;
  accountId: number;
  owner: string;
  email: string;
  role: MemberRole;
  /** True if the mailed link was opened. Only the invited person has that link. */
  isMailed: boolean;
};

/**
 * Deletes expired links. Otherwise, they would work again if the clock is set back. The invitations stay in the list of
 * members, without a link.
 */
export const removeExpiredInvitations = (db: Db, now: number): void => {
  db.run('DELETE FROM invitation WHERE expires_at <= ?', now);
};

/**
 * Finds the invitation of a link. Returns undefined if the invitation was accepted or withdrawn, or if the link has
 * expired. Also returns undefined if the owner of the team has the invited e-mail address by now.
 */
export function findInvitation(db: Db, secret: string, now: number): Invitation | undefined {
  const hash = hashSecret(secret);
  const found = db.one<Omit<Invitation, 'isMailed'> & { isMailed: 0 | 1; expiresAt: number }>(
    `SELECT m.id AS memberId, m.account_id AS accountId, u.email AS owner, m.email, m.role, i.hash <> ? AS isMailed,
            i.expires_at AS expiresAt
     FROM invitation i JOIN member m ON m.id = i.member_id
     JOIN account a ON a.id = m.account_id JOIN user u ON u.id = a.user_id
     WHERE (i.hash = ? OR i.mailed_hash = ?) AND m.user_id IS NULL AND m.email <> u.email`,
    hash,
    hash,
    hash,
  );
  if (!found) return undefined;
  const { expiresAt, isMailed, ...invitation } = found;
  if (expiresAt > now) return { ...invitation, isMailed: isMailed === 1 };
  db.write(() => removeExpiredInvitations(db, now));
  return undefined;
}

/**
 * Adds the user to the team. Deletes the links of the invitation, so that nobody else can join with them. Call this
 * function inside a transaction.
 */
export function acceptInvitation(db: Db, { memberId }: Invitation, userId: number): void {
  db.run('UPDATE member SET user_id = ? WHERE id = ?', userId, memberId);
  db.run('DELETE FROM invitation WHERE member_id = ?', memberId);
}
