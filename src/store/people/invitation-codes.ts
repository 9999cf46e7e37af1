import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../lib/secrets.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Db } from '../db.ts';

const CODE_SECONDS = 15 * MINUTE;
const TRIES = 5;

/** A code that is sent by e-mail. The user must enter the code on the page of the link with this secret. */
export type MailedCode = { memberId: number; secret: string; code: string };

const hashWith = ({ secret, code }: MailedCode): Buffer => hashSecret(`${secret} ${code}`);

/** Tells whether a member has a code that is not expired and may still be entered. */
export const hasCode = (db: Db, memberId: number, now: number): boolean =>
  db.one('SELECT 1 FROM invitation_code WHERE member_id = ? AND expires_at > ? AND tries < ?', memberId, now, TRIES) !==
  undefined;

export const setCode = (db: Db, code: MailedCode, now: number): void => {
  const sql = 'REPLACE INTO invitation_code (member_id, hash, expires_at, tries) VALUES (?, ?, ?, 0)';
  db.run(sql, code.memberId, hashWith(code), now + CODE_SECONDS);
};

/**
 * Removes the mailed code of a member. When the member opens the link of the invitation again, another code is mailed.
 */
export const removeCode = (db: Db, memberId: number): void => {
  db.write(() => db.run('DELETE FROM invitation_code WHERE member_id = ?', memberId));
};

/**
 * Tells whether an entered code is right. A wrong code is counted in the same transaction. So tries that are sent in
 * parallel are counted too.
 */
export const tryCode = (db: Db, code: MailedCode, now: number): boolean =>
  db.write(() => {
    if (!hasCode(db, code.memberId, now)) return false;
    const row = db.one<{ hash: Buffer }>('SELECT hash FROM invitation_code WHERE member_id = ?', code.memberId);
    const isRight = row !== undefined && timingSafeEqual(row.hash, hashWith(code));
    if (!isRight) db.run('UPDATE invitation_code SET tries = tries + 1 WHERE member_id = ?', code.memberId);
    return isRight;
  });
