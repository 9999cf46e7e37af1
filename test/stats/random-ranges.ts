import fc from 'fast-check';
import { TODAY } from '../collect/stage.ts';
import { maybe, withCurrency } from './asked.ts';
import { date } from './days.ts';
import type { Query } from './visits.ts';

/** Any day of the hits and around them, with a length on each side of what makes days into months. */
const customRange = fc
  .tuple(
    fc.constantFrom(-400, -200, -90, -89, -36, -35, -7, -2, -1, 0, 1),
    fc.constantFrom(0, 1, 6, 35, 89, 89, 90, 700),
  )
  .map(([offset, length]) => `${date(TODAY + offset)}~${date(TODAY + offset + length)}`);
export const range = fc.oneof(fc.constantFrom('today', '7d', '30d', '12m'), customRange);

/** Not more than 31 days, over changes of clocks and of zones. */
const shortRange = fc
  .tuple(fc.constantFrom(-210, -136, -31, -10, -7, -2, -1, 0), fc.constantFrom(0, 1, 2, 6, 30))
  .map(([offset, length]) => `${date(TODAY + offset)}~${date(TODAY + offset + length)}`);

/** What points have beside visitors and pageviews. */
const pointMetrics = maybe(
  'metrics',
  fc
    .subarray(['visits', 'bounce_rate', 'visit_duration', 'time_on_page', 'revenue', 'revenue_per_visitor'], {
      minLength: 1,
    })
    .map((names) => names.join()),
);
const ofDays = fc
  .tuple(maybe('interval', fc.constantFrom('day', 'week', 'month')), pointMetrics)
  .map(([interval, metrics]): Query => ({ ...interval, ...metrics }));

export const interval: fc.Arbitrary<Query> = fc.oneof(
  withCurrency(ofDays),
  fc.record({ interval: fc.constant('hour'), range: fc.oneof(fc.constantFrom('today', '7d', '30d'), shortRange) }),
);
export const compare = fc
  .tuple(
    maybe('compare', fc.oneof(fc.constantFrom('previous', 'year', 'none'), customRange)),
    maybe('compare_until', fc.constant('now')),
  )
  .map(([days, until]) => ({ ...days, ...until }));
