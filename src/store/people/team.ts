import { coded } from '../../lang/coded.ts';
import { invalid } from '../../lib/errors.ts';
import { hashSecret } from '../../lib/secrets.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';
import { findStanding, pastLimit } from './accounts.ts';

export type MemberRole = 'viewer' | 'manager';

export type Member = {
  id: number;
  email: string;
  role: MemberRole;
  status: 'active' | 'invited';
  created_at: number;
};

const INVITATION_SECONDS = 5 * DAY;

const MEMBER = `
  SELECT id, email, role, CASE WHEN user_id IS NULL THEN 'invited' ELSE 'active' END AS status, created_at
  FROM member WHERE account_id = ?`;

export const listMembers = (db: Db, accountId: number): Member[] => db.all(`${MEMBER} ORDER BY id`, accountId);

export const findMember = (db: Db, accountId: number, id: number): Member | undefined =>
  db.one(`${MEMBER} AND id = ?`, accountId, id);

/** The teams of others that a user belongs to. */
export const listTeams = (db: Db, userId: number): { account_id: number; owner: string; role: MemberRole }[] =>
  db.all(
    `SELECT m.account_id, u.email AS owner, m.role FROM member m
     JOIN account a ON a.id = m.account_id JOIN user u ON u.id = a.user_id WHERE m.user_id = ? ORDER BY m.account_id`,
    userId,
  );

type NewInvitation = {
  accountId: number;
  owner: string;
  email: string;
  role: MemberRole;
  /** Of the link that whoever invites gets too. */
  secret: string;
  /** Of the link in the mail. */
  mailedSecret?: string | undefined;
  now: number;
};

/**
 * Invites an address, or renews link and role of an invitation that is still open. Call it inside a transaction.
 * Open invitations count as members, because each may become one at any moment; a team that is larger than its plan renews none.
 */
export function inviteMember(db: Db, invitation: NewInvitation): Member {
  const { accountId, owner, email, role, now } = invitation;
  if (email === owner) throw invalid({ email: coded('own_email') });
  let member = db.one<Member>(`${MEMBER} AND email = ?`, accountId, email);
  if (member?.status === 'active') throw invalid({ email: coded('in_team', { email }) });
  const { members: limit } = findStanding(db, accountId, now);
  const taken = listMembers(db, accountId).length + (member ? 0 : 1);
  if (limit !== null && taken > limit) throw pastLimit(limit, 'member');

  if (member) {
    changeMember(db, accountId, member.id, role);
    member = { ...member, role };
  } else {
    const sql = 'INSERT INTO member (account_id, email, role, created_at) VALUES (?, ?, ?, ?)';
    member = { id: db.run(sql, accountId, email, role, now).id, email, role, status: 'invited', created_at: now };
  }
  replaceInvitation(db, member.id, invitation);
  return member;
}

/** The links of before, and a code that was mailed for one of them, work no longer. */
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

export const changeMember = (db: Db, accountId: number, id: number, role: MemberRole): void => {
  db.run('UPDATE member SET role = ? WHERE account_id = ? AND id = ?', role, accountId, id);
};

/** Removes a person, or an open invitation together with its link. */
export const removeMember = (db: Db, accountId: number, id: number): void => {
  db.run('DELETE FROM member WHERE account_id = ? AND id = ?', accountId, id);
};

export type Invitation = {
  memberId: number;
  accountId: number;
  owner: string;
  email: string;
  role: MemberRole;
  /** Whether the link is the one that was mailed, which nobody else has. */
  isMailed: boolean;
};

/** Deletes the links that have expired, so that they stay so when the clock goes back. The people stay invited. */
export const removeExpiredInvitations = (db: Db, now: number): void => {
  db.run('DELETE FROM invitation WHERE expires_at <= ?', now);
};

/** The open invitation behind either of its links: not used, not expired, not withdrawn. */
export function findInvitation(db: Db, secret: string, now: number): Invitation | undefined {
  const hash = hashSecret(secret);
  const found = db.one<Omit<Invitation, 'isMailed'> & { isMailed: 0 | 1; expiresAt: number }>(
    `SELECT m.id AS memberId, m.account_id AS accountId, u.email AS owner, m.email, m.role, i.hash <> ? AS isMailed,
            i.expires_at AS expiresAt
     FROM invitation i JOIN member m ON m.id = i.member_id
     JOIN account a ON a.id = m.account_id JOIN user u ON u.id = a.user_id
     WHERE (i.hash = ? OR i.mailed_hash = ?) AND m.user_id IS NULL`,
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

/** Makes the invited person a member; the link is used up. Call it inside a transaction. */
export function acceptInvitation(db: Db, { memberId }: Invitation, userId: number): void {
  db.run('UPDATE member SET user_id = ? WHERE id = ?', userId, memberId);
  db.run('DELETE FROM invitation WHERE member_id = ?', memberId);
}
