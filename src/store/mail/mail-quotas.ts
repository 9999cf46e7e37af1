import type { Coded } from '../../lang/coded.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/**
 * A limit for the number of mails in 24 hours. The 24 hours begin with the first mail. `name` says which mails are
 * counted together, such as the invitations of one account. `reached` is the message for the user.
 */
export type MailLimit = { name: string; most: number; reached: Coded };

type MailCount = { since: number; mails: number };

/**
 * Counts one mail for each of the given limits. If a limit is reached already, counts nothing. In this case, returns
 * the limit's message, and the seconds until the next mail is possible. Call this function inside a transaction.
 */
export function countMail(
  db: Db,
  limits: readonly MailLimit[],
  now: number,
): { reached: Coded; seconds: number } | undefined {
  // Counts from a day ago or earlier are deleted. Counts from a clock that was a day or more ahead are deleted too.
  // Otherwise, these would block mails until the time of that clock.
  db.run('DELETE FROM mail_count WHERE abs(? - since) >= ?', now, DAY);
  for (const { name, most, reached } of limits) {
    const count = db.one<MailCount>('SELECT since, mails FROM mail_count WHERE name = ?', name);
    if (count && count.mails >= most) return { reached, seconds: count.since + DAY - now };
  }
  const sql =
    'INSERT INTO mail_count (name, since, mails) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET mails = mails + 1';
  for (const { name } of limits) db.run(sql, name, now);
  return undefined;
}
