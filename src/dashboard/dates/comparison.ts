// Figures and chart are compared with the period before, with the days a year before, or with days that the user chose. The
// URL has the choice in `compare`. Without this parameter, the period before is used. If the range ends today, the comparison
// ends at this time of day. Half a day is never compared with a whole one.
//
// Example: on 10 March at 14:00, the range `7d` is compared with 25 February to 3 March, 14:00.
//
// comparison-picker.tsx offers the choices.
// series.ts and the pages send the parameters of `compareQuery`.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import { spanText } from '../core/format.ts';
import type { View } from '../core/view.ts';
import { dayAfter, sameDayAfter } from './days.ts';
import { customRange, previousOf, type Span, spanOf } from './range.ts';

/** How points of two periods are paired: beginning with the first points, beginning with the last points, or a year apart. */
export type Match = 'start' | 'end' | 'year';

type Kind = {
  name: DashboardMessage;
  /** The API's name for this comparison. Without a name, the API gets the first and the last day. */
  word?: string;
  spanOf(span: Span): Span | undefined;
  /** How the chart finds a partner in the comparison period for each point. */
  match: Match;
};

/** The keys are the names of comparisons in the URL. */
const KINDS: Record<string, Kind> = {
  '': { name: 'Previous period', word: 'previous', spanOf: previousOf, match: 'end' },
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
export const comparisonsFor = (span: Span): { value: string; name: DashboardMessage; days: string }[] =>
  Object.entries(KINDS).map(([value, { name, spanOf }]) => {
    const compared = spanOf(span);
    return { value, name, days: compared ? spanText(compared) : '' };
  });

/** Finds the kind of comparison in the URL. If the user chose days, the URL has these days. */
function kindOf({ more: { compare = '' } }: View): Kind {
  if (Object.hasOwn(KINDS, compare)) return KINDS[compare] ?? USUAL;
  const own = compare.includes('~') ? spanOf(compare, '') : undefined;
  return own ? { name: 'Custom days', spanOf: () => own, match: 'start' } : USUAL;
}

/** The days that a range is compared with. Undefined if there is no comparison. */
export const comparedSpan = (view: View, span: Span): Span | undefined => kindOf(view).spanOf(span);

export const matchOf = (view: View): Match => kindOf(view).match;

/**
 * True if a range ends today. The comparison then also ends at the current time of day. So half a day is not compared
 * with a whole one.
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
