// Custom alerts in the API. A custom alert checks one metric of each past day. The alert compares the metric with a
// threshold, or asks whether the metric was unusual.
//
// Invariant: daybook can always compute the metric of a stored alert. A goal of an alert belongs to the site. If the
// goal is deleted, the alert is deleted too. The filters were valid when the alert was added.
//
// Example: POST /sites/7/alerts with `{ "name": "Few visitors", "metric": "visitors", "condition": "below",
// "threshold": 10 }`. After each day with fewer than 10 visitors, daybook sends a message. The table in routes.ts calls
// these functions.
import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, PositiveId, Time, text } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import * as alerts from '../store/sites/alerts.ts';
import { findGoal } from '../store/sites/goals.ts';
import { Applied, FilterObject, readFilters, writeParameters } from './filters.ts';
import type { SiteCall } from './route.ts';

const { ALERT_METRICS, ALERT_CONDITIONS } = alerts;

export const Alert = v.strictObject({
  id: Id,
  name: v.string(),
  metric: v.picklist(ALERT_METRICS),
  goal_id: v.nullable(Id),
  condition: v.picklist(ALERT_CONDITIONS),
  threshold: v.nullable(v.number()),
  filters: Applied,
  created_at: Time,
});
export type Alert = v.InferOutput<typeof Alert>;

const LARGEST = 1_000_000_000;
const Threshold = v.pipe(
  v.number(fault('no_number')),
  v.integer(fault('no_whole_number')),
  v.minValue(0, fault('negative')),
  v.maxValue(LARGEST, fault('out_of_bounds', { least: 0, most: LARGEST })),
);

export const NewAlert = v.strictObject({
  name: text(100),
  metric: v.picklist(ALERT_METRICS, fault('none_of', { known: ALERT_METRICS.join(', ') })),
  goal_id: v.optional(v.nullable(PositiveId), null),
  condition: v.picklist(ALERT_CONDITIONS, fault('none_of', { known: ALERT_CONDITIONS.join(', ') })),
  threshold: v.optional(v.nullable(Threshold), null),
  filters: v.optional(FilterObject, {}),
});
type NewAlert = v.InferOutput<typeof NewAlert>;

export const list = ({ db, site }: SiteCall): Alert[] => alerts.listAlerts(db, site.id).map(answer);

export const assertRoom = ({ db, site }: SiteCall): void => alerts.assertRoomForAlert(db, site.id);

export function add({ db, site, body, now }: SiteCall<NewAlert>): Alert {
  const { metric, goal_id: goalId, condition, threshold } = body;
  if (metric === 'conversions') {
    if (goalId === null) throw invalid({ goal_id: coded('required') });
    if (!findGoal(db, site.id, goalId)) throw invalid({ goal_id: coded('no_goal') });
  } else if (goalId !== null) throw invalid({ goal_id: coded('only_conversions') });
  if (condition === 'unusual' && threshold !== null) throw invalid({ threshold: coded('no_threshold') });
  if (condition !== 'unusual' && threshold === null) throw invalid({ threshold: coded('required') });
  const { filters, applied } = readFilters(db, site.id, writeParameters(body.filters));
  return answer(alerts.addAlert(db, site.id, { ...body, filters, applied }, now));
}

export const remove = ({ db, site, id }: SiteCall): void => alerts.removeAlert(db, site.id, id);

const answer = ({ filters: _, applied, created_at, ...alert }: alerts.Alert): Alert => ({
  ...alert,
  filters: applied as Alert['filters'],
  created_at: iso(created_at),
});
