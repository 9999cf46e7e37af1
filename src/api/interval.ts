import * as v from 'valibot';
import { invalid } from '../lib/errors.ts';
import { INTERVALS, type Interval } from '../stats/interval.ts';
import type { Range } from '../stats/question.ts';

export const IntervalName = v.optional(v.picklist(INTERVALS, `Must be one of ${INTERVALS.join(', ')}.`));

const MAX_DAYS_OF_HOURS = 31;

/** Refuses hours of a range that is too long for them. */
export function assertInterval(interval: Interval | undefined, { from, to }: Range): void {
  if (interval === 'hour' && to - from > MAX_DAYS_OF_HOURS) {
    throw invalid({ interval: `Can be hour for at most ${MAX_DAYS_OF_HOURS} days; take day, or a shorter range.` });
  }
}
