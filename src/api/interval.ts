import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { INTERVALS, type Interval as IntervalText } from '../stats/interval.ts';
import { POINT_METRICS, type PointMetric, type Range } from '../stats/query.ts';
import { listOf } from './input.ts';

export const Interval = v.picklist(INTERVALS, fault('none_of', { known: INTERVALS.join(', ') }));
export const IntervalName = v.optional(Interval);

/** The metrics that a point of a time series can have in addition to visitors and pageviews. */
export const PointMetrics = v.optional(listOf(POINT_METRICS));

const MAX_DAYS_OF_HOURS = 31;

type PointQuery = { interval?: IntervalText | undefined; metrics?: readonly PointMetric[] | undefined };

/**
 * Refuses the interval `hour` for a range of more than 31 days. A point of one hour has only visitors and pageviews. So
 * a query that asks for more metrics by hour is refused too.
 */
export function assertInterval({ interval, metrics }: PointQuery, { from, to }: Range): void {
  if (interval === 'hour' && metrics) {
    throw invalid({ metrics: coded('hours_have_few') });
  }
  if (interval === 'hour' && to - from > MAX_DAYS_OF_HOURS) {
    throw invalid({ interval: coded('hours_too_long', { most: MAX_DAYS_OF_HOURS }) });
  }
}
