import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../lib/secrets.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Db } from '../db.ts';

const CODE_SECONDS = 15 * MINUTE;
const TRIES = 5;

/** A mailed code, and the secret of the link with which it is typed. */
export type MailedCode = { memberId: number; secret: string; code: string };

const hashWith = ({ secret, code }: MailedCode): Buffer => hashSecret(`${secret} ${code}`);

/** Tells whether a member has a code that may still be typed. */
export const hasCode = (db: Db, memberId: number, now: number): boolean =>
  db.one('SELECT 1 FROM invitation_code WHERE member_id = ? AND expires_at > ? AND tries < ?', memberId, now, TRIES) !==
  undefined;

/** Sets the code of a member in place of an earlier one. */
export const setCode = (db: Db, code: MailedCode, now: number): void => {
  const sql = 'REPLACE INTO invitation_code (member_id, hash, expires_at, tries) VALUES (?, ?, ?, 0)';
  db.run(sql, code.memberId, hashWith(code), now + CODE_SECONDS);
};

/** Removes the code of a member. The next opening of the link mails another one. */
export const removeCode = (db: Db, memberId: number): void => {
  db.write(() => db.run('DELETE FROM invitation_code WHERE member_id = ?', memberId));
};

/**
 * Tells whether a typed code is right. A wrong one is counted in the same transaction, so that parallel tries count
 * too.
 */
export const tryCode = (db: Db, code: MailedCode, now: number): boolean =>
  db.write(() => {
    if (!hasCode(db, code.memberId, now)) return false;
    const row = db.one<{ hash: Buffer }>('SELECT hash FROM invitation_code WHERE member_id = ?', code.memberId);
    const isRight = row !== undefined && timingSafeEqual(row.hash, hashWith(code));
    if (!isRight) db.run('UPDATE invitation_code SET tries = tries + 1 WHERE member_id = ?', code.memberId);
    return isRight;
  });
