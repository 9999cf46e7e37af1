// The custom alerts of sites. An alert asks a question about each day, such as "Were there more than 50 sign-ups?"
//
// Invariant: a site has at most 20 alerts, because each question is asked every night. When a goal is deleted, its
// alerts are deleted too.
//
// Example: `{ metric: 'visitors', condition: 'below', threshold: 10, filters: { country: … } }` is about visitors from
// one country. api/alerts.ts adds and removes alerts, and mail/custom-alerts.ts asks their questions.
import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

export const ALERT_METRICS = ['visitors', 'visits', 'pageviews', 'conversions'] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

/**
 * The conditions of alerts. `unusual` compares the day with the same weekday of the weeks before, and needs no
 * threshold.
 */
export const ALERT_CONDITIONS = ['above', 'below', 'unusual'] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

export type NewAlert = {
  name: string;
  metric: AlertMetric;
  /** The goal of an alert about conversions. All other alerts have null. */
  goal_id: number | null;
  condition: AlertCondition;
  threshold: number | null;
  /** The filters in the form that engines read. */
  filters: object;
  /** The filters as the user wrote them. The answers of the API repeat these. */
  applied: object;
};
export type Alert = NewAlert & { id: number; created_at: number };

type Row = Omit<Alert, 'filters' | 'applied'> & { filters: string; applied: string };

const ALERT =
  'SELECT id, name, metric, goal_id, condition, threshold, filters, applied, created_at FROM alert WHERE site_id = ?';

const readRow = ({ filters, applied, ...row }: Row): Alert => ({
  ...row,
  filters: JSON.parse(filters),
  applied: JSON.parse(applied),
});

export const listAlerts = (db: Db, siteId: number): Alert[] =>
  db.all<Row>(`${ALERT} ORDER BY name, id`, siteId).map(readRow);

export function findAlert(db: Db, siteId: number, id: number): Alert | undefined {
  const row = db.one<Row>(`${ALERT} AND id = ?`, siteId, id);
  return row && readRow(row);
}

const ALERTS_PER_SITE = 20;

export function assertRoomForAlert(db: Db, siteId: number): void {
  if (listAlerts(db, siteId).length < ALERTS_PER_SITE) return;
  throw new Problem('limit_reached', { message: coded('most_alerts', { most: ALERTS_PER_SITE }) });
}

export function addAlert(db: Db, siteId: number, alert: NewAlert, now: number): Alert {
  const { name, metric, goal_id, condition, threshold, filters, applied } = alert;
  const { id } = db.run(
    `INSERT INTO alert (site_id, name, metric, goal_id, condition, threshold, filters, applied, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[siteId, name, metric, goal_id, condition, threshold, JSON.stringify(filters), JSON.stringify(applied), now],
  );
  return findAlert(db, siteId, id) as Alert;
}

export const removeAlert = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM alert WHERE site_id = ? AND id = ?', siteId, id);
};
