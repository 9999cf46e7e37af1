// Deliveries of mailings to destinations, such as a channel in Slack, and to the webhook of the server's settings.
//
// Invariant: after endDelivery is called, the destination does not get the mailing again. A try is stored before it is
// made. Therefore a killed process does not make more tries than allowed (test/jobs/webhook.test.ts).
//
// Example: the weekly report of a site with two destinations is two deliveries. Each has its own tries. The webhook of
// the settings has the id 0. src/destinations/deliveries.ts sends deliveries.

import type { Db } from '../db.ts';
import type { MessageKind } from '../sites/destinations.ts';
import type { Switch } from '../sites/sites.ts';
import type { Mailing } from './mailings.ts';

export const SETTINGS_WEBHOOK = 0;

/**
 * A mailing that a destination has not accepted yet. `tries` is how often the mailing was sent there. `isFailing` is 1
 * if the destination has not accepted its last message.
 */
export type Delivery = Mailing & { destinationId: number; tries: number; isFailing: 0 | 1 };

/**
 * A kind of mailing. `setting` is the site's switch that turns this kind on for the webhook of the server's settings.
 * `message` is the name of the kind in the list of messages that a destination gets. `follows` is the kind that must
 * come first: an all-clear follows an alert.
 */
type DeliveryKind = { name: string; message: MessageKind; setting: Switch | undefined; follows: string | undefined };

const selectTargets = (setting: Switch | undefined) => `
  SELECT id, site_id, since, failure IS NOT NULL FROM destination
  WHERE paused = 0 AND EXISTS (SELECT 1 FROM json_each(messages) WHERE value = ?)
  ${setting === undefined ? '' : `UNION ALL SELECT ${SETTINGS_WEBHOOK}, id, 0, 0 FROM site WHERE ? AND ${setting} = 1`}`;

const selectDue = (setting: Switch | undefined, more: string) => `
  WITH target (id, site_id, since, isFailing) AS (${selectTargets(setting)})
  SELECT m.id, m.site_id AS siteId, m.kind, m.at, m.created_at AS createdAt, m.ended_at AS endedAt, m.details,
    t.id AS destinationId, coalesce(p.tries, 0) AS tries, t.isFailing
  FROM mailing m JOIN target t ON t.site_id = m.site_id AND m.created_at >= t.since
    LEFT JOIN posted p ON p.mailing_id = m.id AND p.destination_id = t.id
  WHERE m.kind = ? AND m.created_at > ?
    AND (p.mailing_id IS NULL OR (p.taken IS NULL AND p.next_at <= ?)) ${more} ORDER BY m.id`;

const AFTER = `AND EXISTS
  (SELECT 1 FROM mailing f JOIN posted d ON d.mailing_id = f.id
   WHERE f.site_id = m.site_id AND f.kind = ? AND f.at = m.at AND d.destination_id = t.id AND d.taken = 1)`;

type Due = { since: number; now: number; webhook: boolean };

/**
 * Lists the deliveries of one kind of mailing that must be tried now. Mailings from before the time `since` are left
 * out. An all-clear says that the cause of an alert has ended. An all-clear is due only after the destination has
 * accepted that alert.
 */
export const listDue = (
  db: Db,
  { name, message, setting, follows }: DeliveryKind,
  { since, now, webhook }: Due,
): Delivery[] =>
  db.all(
    selectDue(setting, follows === undefined ? '' : AFTER),
    ...[message, ...(setting === undefined ? [] : [Number(webhook)]), name, since, now],
    ...(follows === undefined ? [] : [follows]),
  );

type DeliveryKey = Pick<Delivery, 'id' | 'destinationId'>;

/** Counts a try before the mailing is sent. Therefore a try counts even if the process is killed while it sends. */
export function noteTry(db: Db, { id, destinationId }: DeliveryKey, nextAt: number): void {
  const sql = `INSERT INTO posted (mailing_id, destination_id, tries, next_at) VALUES (?, ?, 1, ?)
    ON CONFLICT DO UPDATE SET tries = tries + 1, next_at = excluded.next_at`;
  db.write(() => db.run(sql, id, destinationId, nextAt));
}

/** Moves the next try to a later time, because the receiver asked for that. */
export function delayTry(db: Db, { id, destinationId }: DeliveryKey, nextAt: number): void {
  const sql = 'UPDATE posted SET next_at = max(next_at, ?) WHERE mailing_id = ? AND destination_id = ?';
  db.write(() => db.run(sql, nextAt, id, destinationId));
}

/**
 * Ends a delivery: the mailing is not sent to this destination again. Either the destination has accepted it (`taken`),
 * or daybook has given up.
 */
export function endDelivery(db: Db, { id, destinationId }: DeliveryKey, taken: boolean): void {
  const sql = 'UPDATE posted SET taken = ? WHERE mailing_id = ? AND destination_id = ?';
  db.write(() => db.run(sql, taken ? 1 : 0, id, destinationId));
}
