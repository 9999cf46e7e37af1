import type { Db } from '../db.ts';
import type { Switch } from '../sites/sites.ts';
import type { Mailing } from './mailings.ts';

/** A mailing that the webhook (a URL of the operator) has not accepted yet. `tries` is how often it was sent. */
export type Unposted = Mailing & { tries: number };

const selectUnposted = (setting: Switch, sql: string) => `
  SELECT m.id, m.site_id AS siteId, m.kind, m.at, m.created_at AS createdAt, m.ended_at AS endedAt, coalesce(p.tries, 0) AS tries
  FROM mailing m JOIN site s ON s.id = m.site_id LEFT JOIN posted p ON p.mailing_id = m.id
  WHERE m.kind = ? AND m.created_at > ? AND s.${setting} = 1
    AND (p.mailing_id IS NULL OR (p.taken IS NULL AND p.next_at <= ?)) ${sql} ORDER BY m.id`;

const AFTER = `AND EXISTS
  (SELECT 1 FROM mailing f JOIN posted d ON d.mailing_id = f.id
   WHERE f.site_id = m.site_id AND f.kind = ? AND f.at = m.at AND d.taken = 1)`;

type DeliveryKind = { name: string; setting: Switch; follows: string | undefined };

/**
 * Lists the mailings that must be sent to the webhook now. `follows` names an earlier kind. For example, an all-clear
 * follows an alert. It is sent only after the webhook has accepted the alert.
 */
export const listUnposted = (
  db: Db,
  { name, setting, follows }: DeliveryKind,
  since: number,
  now: number,
): Unposted[] =>
  follows === undefined
    ? db.all(selectUnposted(setting, ''), name, since, now)
    : db.all(selectUnposted(setting, AFTER), name, since, now, follows);

/** Counts a try before the mailing is sent. So a try counts even if the process is killed while it sends. */
export function noteTry(db: Db, mailingId: number, nextAt: number): void {
  const sql = `INSERT INTO posted (mailing_id, tries, next_at) VALUES (?, 1, ?)
    ON CONFLICT DO UPDATE SET tries = tries + 1, next_at = excluded.next_at`;
  db.write(() => db.run(sql, mailingId, nextAt));
}

/** The mailing is not sent again. Either the webhook accepted it (`taken`), or daybook has given up. */
export function endPosting(db: Db, mailingId: number, taken: boolean): void {
  db.write(() => db.run('UPDATE posted SET taken = ? WHERE mailing_id = ?', taken ? 1 : 0, mailingId));
}
