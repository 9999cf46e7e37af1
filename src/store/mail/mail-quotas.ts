import type { Coded } from '../../lang/coded.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/**
 * A limit for the number of mails in 24 hours. The 24 hours begin with the first mail. `name` is what has the limit,
 * such as an e-mail address. `reached` is the message for the user.
 */
export type MailLimit = { name: string; most: number; reached: Coded };

type MailCount = { since: number; mails: number };

/**
 * Counts a mail under the name of each limit. If a limit is reached, nothing is counted. Then the function returns the
 * message of that limit, and the seconds until the next mail is possible. Call this function inside a transaction.
 */
export function countMail(
  db: Db,
  limits: readonly MailLimit[],
  now: number,
): { reached: Coded; seconds: number } | undefined {
  // Counts from a day or more in the future are deleted too. Otherwise, a clock that was once far ahead would block
  // mails until that time.
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
