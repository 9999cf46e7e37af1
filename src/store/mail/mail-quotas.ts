import type { Coded } from '../../lang/coded.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/** A limit of mails a day under one name, such as an e-mail address. The day begins with the first mail. */
export type MailLimit = { name: string; most: number; reached: Coded };

type MailCount = { since: number; mails: number };

/**
 * Counts a mail under each name. At a limit nothing is counted: gives that limit, and the seconds until there is room.
 * Call it inside a transaction.
 */
export function countMail(
  db: Db,
  limits: readonly MailLimit[],
  now: number,
): { reached: Coded; seconds: number } | undefined {
  // Counts of the future go too: a clock that was far ahead must not stop mails until then.
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
