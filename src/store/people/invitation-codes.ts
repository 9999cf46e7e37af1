import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../lib/secrets.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Db } from '../db.ts';

const CODE_SECONDS = 15 * MINUTE;
const TRIES = 5;

/**
 * A code that was mailed to an invited person. The person enters the code on the page of the invitation link. Therefore
 * somebody who only has the link cannot join. `secret` is the secret of the link.
 */
export type MailedCode = { memberId: number; secret: string; code: string };

const hashWith = ({ secret, code }: MailedCode): Buffer => hashSecret(`${secret} ${code}`);

/**
 * True if the invitation has a valid code. A code is valid for 15 minutes, but only until somebody has entered 5 wrong
 * codes.
 */
export const hasCode = (db: Db, memberId: number, now: number): boolean =>
  db.one('SELECT 1 FROM invitation_code WHERE member_id = ? AND expires_at > ? AND tries < ?', memberId, now, TRIES) !==
  undefined;

export const setCode = (db: Db, code: MailedCode, now: number): void => {
  const sql = 'REPLACE INTO invitation_code (member_id, hash, expires_at, tries) VALUES (?, ?, ?, 0)';
  db.run(sql, code.memberId, hashWith(code), now + CODE_SECONDS);
};

/**
 * Deletes a code, for example because its mail could not be sent. When the invited person opens the invitation link
 * again, a new code is mailed.
 */
export const removeCode = (db: Db, memberId: number): void => {
  db.write(() => db.run('DELETE FROM invitation_code WHERE member_id = ?', memberId));
};

/**
 * Checks a code, and counts a wrong one. The check and the count happen in one transaction. Therefore many tries at the
 * same time cannot get around the limit.
 */
export const tryCode = (db: Db, code: MailedCode, now: number): boolean =>
  db.write(() => {
    if (!hasCode(db, code.memberId, now)) return false;
    const row = db.one<{ hash: Buffer }>('SELECT hash FROM invitation_code WHERE member_id = ?', code.memberId);
    const isRight = row !== undefined && timingSafeEqual(row.hash, hashWith(code));
    if (!isRight) db.run('UPDATE invitation_code SET tries = tries + 1 WHERE member_id = ?', code.memberId);
    return isRight;
  });
