import type { DashboardMessage } from '../../lang/dashboard.ts';
import { spanText } from '../format.ts';
import type { View } from '../view.ts';
import { dayAfter, sameDayAfter } from './days.ts';
import type { Match } from './matches.ts';
import { customRange, previousOf, type Span, spanOf } from './range.ts';

type Kind = {
  name: DashboardMessage;
  /** As the API names it; without a name it gets the days. */
  word?: string;
  spanOf(span: Span): Span | undefined;
  /** How the points of the chart are matched with those of these days. */
  match: Match;
};

/** What figures and chart may be compared with, by its name in the address. */
const KINDS: Record<string, Kind> = {
  '': { name: 'Period before', word: 'previous', spanOf: previousOf, match: 'end' },
  year: {
    name: 'Same dates a year before',
    word: 'year',
    spanOf: ({ from, to }) => ({ from: sameDayAfter(from, -12), to: sameDayAfter(to, -12) }),
    match: 'year',
  },
  weekdays: {
    name: 'Same weekdays a year before',
    spanOf: ({ from, to }) => ({ from: dayAfter(from, -364), to: dayAfter(to, -364) }),
    match: 'year',
  },
  off: { name: 'No comparison', word: 'none', spanOf: () => undefined, match: 'start' },
};
const USUAL = KINDS[''] as Kind;

/** The choices for a range. */
export const comparisonsFor = (span: Span): { value: string; name: DashboardMessage; days: string }[] =>
  Object.entries(KINDS).map(([value, { name, spanOf }]) => {
    const compared = spanOf(span);
    return { value, name, days: compared ? spanText(compared) : '' };
  });

/** Days of one's own stand in the address as they are. */
function kindOf({ more: { compare = '' } }: View): Kind {
  if (Object.hasOwn(KINDS, compare)) return KINDS[compare] ?? USUAL;
  const own = compare.includes('~') ? spanOf(compare, '') : undefined;
  return own ? { name: 'Days of your own', spanOf: () => own, match: 'start' } : USUAL;
}

/** The days that a range is compared with; undefined where it is with none. */
export const comparedSpan = (view: View, span: Span): Span | undefined => kindOf(view).spanOf(span);

export const matchOf = (view: View): Match => kindOf(view).match;

/** Whether a range runs on today: what it is compared with ends at the same time. */
export const isRunning = (span: Span | undefined, today: string): boolean => span?.to === today;

/** The parameters that say it to the API. */
export function compareQuery(view: View, today: string): { compare: string; compare_until?: 'now' } {
  const { word, spanOf: comparedOf } = kindOf(view);
  const span = spanOf(view.range, today);
  const compared = span && comparedOf(span);
  return {
    compare: word ?? (compared ? customRange(compared) : 'previous'),
    ...(compared && isRunning(span, today) ? { compare_until: 'now' } : {}),
  };
}
