import * as v from 'valibot';
import { invalid } from '../lib/errors.ts';
import { INTERVALS, type Interval as IntervalOf } from '../stats/interval.ts';
import { POINT_METRICS, type PointMetric, type Range } from '../stats/question.ts';

export const Interval = v.picklist(INTERVALS, `Must be one of ${INTERVALS.join(', ')}.`);
export const IntervalName = v.optional(Interval);

const NAME = `(?:${POINT_METRICS.join('|')})`;

/** Which figures points have beside visitors and pageviews. */
export const PointMetrics = v.optional(
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^${NAME}(?:,${NAME})*$`), `Must be names separated by commas, of ${POINT_METRICS.join(', ')}.`),
    v.transform((names) => [...new Set(names.split(','))] as PointMetric[]),
  ),
);

const MAX_DAYS_OF_HOURS = 31;

type Asked = { interval?: IntervalOf | undefined; metrics?: readonly PointMetric[] | undefined };

/** Refuses hours of a range that is too long for them, or with figures of whole visits. */
export function assertInterval({ interval, metrics }: Asked, { from, to }: Range): void {
  if (interval === 'hour' && metrics) {
    throw invalid({ metrics: 'Hours have visitors and pageviews only; take day, week or month as interval.' });
  }
  if (interval === 'hour' && to - from > MAX_DAYS_OF_HOURS) {
    throw invalid({ interval: `Can be hour for at most ${MAX_DAYS_OF_HOURS} days; take day, or a shorter range.` });
  }
}
