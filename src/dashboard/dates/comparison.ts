// Figures and chart are compared with another period. This is the period just before, the days a year before, or days
// that the user has chosen. The URL has the choice in `compare`. Without this parameter, it is the period just before,
// or no period if the range is all time. If the range ends today, the comparison ends at the current time of day. So
// half a day is never compared with a whole day.
//
// Example: on 10 March at 14:00, the range `7d` is compared with 25 February to 3 March, 14:00.
//
// comparison-picker.tsx offers the choices. The pages, conversion.ts and why.tsx send the parameters of `compareQuery`.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import { spanText } from '../core/format.ts';
import type { View } from '../core/view.ts';
import { dayAfter, sameDayAfter } from './days.ts';
import { ALL_TIME, customRange, previousOf, type Span, spanOf } from './range.ts';

/**
 * Which points of the range and of the comparison period form pairs in the chart. With `start`, the first points are a
 * pair, then the second points, and so on. With `end`, the last points are a pair, then the points before them, and so
 * on. With `year`, points a year apart are a pair.
 */
export type Match = 'start' | 'end' | 'year';

type Kind = {
  name: DashboardMessage;
  /**
   * The API's name for this comparison. If the API has no name for the comparison, the request names the first and the
   * last day.
   */
  word?: string;
  spanOf(span: Span): Span | undefined;
  match: Match;
};

/** The kinds of comparison. The keys are their names in the URL. */
const KINDS: Record<string, Kind> = {
  '': { name: 'Same number of days just before', word: 'previous', spanOf: previousOf, match: 'end' },
  year: {
    name: 'Same dates one year earlier',
    word: 'year',
    spanOf: ({ from, to }) => ({ from: sameDayAfter(from, -12), to: sameDayAfter(to, -12) }),
    match: 'year',
  },
  weekdays: {
    name: 'Same weekdays one year earlier',
    spanOf: ({ from, to }) => ({ from: dayAfter(from, -364), to: dayAfter(to, -364) }),
    match: 'year',
  },
  off: { name: 'No comparison', word: 'none', spanOf: () => undefined, match: 'start' },
};
const USUAL = KINDS[''] as Kind;

/** Lists the possible comparisons of a range, each with the days that the range would be compared with. */
export const comparisonsFor = (span: Span, range: string): { value: string; name: DashboardMessage; days: string }[] =>
  Object.entries(KINDS)
    .filter(([value]) => value !== '' || range !== ALL_TIME)
    .map(([value, { name, spanOf }]) => {
      const compared = spanOf(span);
      return { value, name, days: compared ? spanText(compared) : '' };
    });

/**
 * Returns the comparison in the URL. There is no period before the range of all time, so by default this range is not
 * compared.
 */
export const comparisonIn = ({ range, compare }: View): string => compare || (range === ALL_TIME ? 'off' : '');

/**
 * Finds the kind of comparison in the URL. If the URL has a first and a last day, the report is compared with exactly
 * this range.
 */
function kindOf(view: View): Kind {
  const compare = comparisonIn(view);
  if (Object.hasOwn(KINDS, compare)) return KINDS[compare] ?? USUAL;
  const own = compare.includes('~') ? spanOf(compare, '') : undefined;
  return own ? { name: 'Choose days', spanOf: () => own, match: 'start' } : USUAL;
}

/** Finds the days that a range is compared with. Returns undefined if nothing is compared. */
export const comparedSpan = (view: View, span: Span): Span | undefined => kindOf(view).spanOf(span);

export const matchOf = (view: View): Match => kindOf(view).match;

/**
 * True if a range ends today. Then the comparison ends at the current time of day. So half a day is not compared with a
 * whole day.
 */
export const isRunning = (span: Span | undefined, today: string): boolean => span?.to === today;

export function compareQuery(view: View, today: string): { compare: string; compare_until?: 'now' } {
  const { word, spanOf: comparedOf } = kindOf(view);
  const span = spanOf(view.range, today);
  const compared = span && comparedOf(span);
  return {
    compare: word ?? (compared ? customRange(compared) : 'previous'),
    ...(compared && isRunning(span, today) ? { compare_until: 'now' } : {}),
  };
}
