import type { Timeseries } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { daysIn, earlier, later } from '../../dates/days.ts';
import type { Span } from '../../dates/range.ts';

/**
 * Whether an answer lacks none, some or all of the days that a point or a figure is about. Days are missing if only
 * their daily totals are stored. `unknown` means that an import does not have the figure. `deleted` means that all
 * these days were deleted.
 */
export type LeftOut = 'none' | 'some' | 'all' | 'unknown' | 'deleted';

/** Replaces a figure if all its days are missing. A notice of the report says why. */
export const NO_VALUE = '–';

/** Texts for a point of the chart, or for a figure, that lacks days. */
export const LEFT_OUT: Record<Exclude<LeftOut, 'none'>, DashboardMessage> = {
  all: 'no value: only daily totals are stored',
  deleted: 'no value: deleted',
  unknown: 'not available: an import does not include this figure',
  some: 'incomplete: only daily totals are stored for some days',
};

/**
 * Finds out whether an answer lacks days from `from` to `to`. `leftOut` has the days that the answer lacks. Its ranges
 * never overlap, so their lengths can be added up.
 */
export function leftOutOf({ from, to }: Span, leftOut: readonly Span[] = []): LeftOut {
  const days = leftOut.reduce((sum, span) => {
    const both = { from: later(from, span.from), to: earlier(to, span.to) };
    return both.from > both.to ? sum : sum + daysIn(both.from, both.to);
  }, 0);
  if (days === 0) return 'none';
  return days < daysIn(from, to) ? 'some' : 'all';
}

/**
 * Lists the deleted days in an answer about one site. In an answer about several sites, each notice of deleted days
 * names its site. A notice with a site is ignored, because the other sites may have hits on these days.
 */
export const deletedIn = ({ notice_codes: notices = [] }: Pick<Timeseries, 'notice_codes'>): readonly Span[] =>
  (notices.find(({ code, values }) => code === 'days_deleted' && values.site === undefined)?.values.days ??
    []) as readonly Span[];
