import type { DashboardMessage } from '../../lang/dashboard.ts';
import { daysIn, earlier, later } from './days.ts';
import type { Span } from './range.ts';

/**
 * How many of some days an answer leaves out, because only daily totals are kept of them; `unknown` where an import did not have a
 * figure.
 */
export type LeftOut = 'none' | 'some' | 'all' | 'unknown';

/** A figure where all days are left out; the notice above it says why. */
export const NO_VALUE = '–';

/** Said where all days are left out, and where some are. */
export const LEFT_OUT: Record<Exclude<LeftOut, 'none'>, DashboardMessage> = {
  all: 'no value: only daily totals are kept',
  unknown: 'not known: an import did not have it',
  some: 'not complete: of some days only daily totals are kept',
};

/** The days that are left out follow one another, and none is there twice. */
export function leftOutOf({ from, to }: Span, leftOut: readonly Span[] = []): LeftOut {
  const days = leftOut.reduce((sum, span) => {
    const both = { from: later(from, span.from), to: earlier(to, span.to) };
    return both.from > both.to ? sum : sum + daysIn(both.from, both.to);
  }, 0);
  if (days === 0) return 'none';
  return days < daysIn(from, to) ? 'some' : 'all';
}
