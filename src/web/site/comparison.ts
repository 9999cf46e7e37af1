import { spanText } from '../format.ts';
import type { View } from '../view.ts';
import { sameDayAfter } from './days.ts';
import type { Match } from './matches.ts';
import { previousOf, type Span } from './range.ts';

type Kind = {
  /** As the API names it. */
  compare: string;
  name(compared: string): string;
  spanOf(span: Span): Span | undefined;
  match: Match;
};

/** What figures and chart may be compared with, by its name in the address. */
const KINDS: Record<string, Kind> = {
  '': { compare: 'previous', name: (compared) => `Before: ${compared}`, spanOf: previousOf, match: 'end' },
  year: {
    compare: 'year',
    name: (compared) => `A year before: ${compared}`,
    spanOf: ({ from, to }) => ({ from: sameDayAfter(from, -12), to: sameDayAfter(to, -12) }),
    match: 'year',
  },
  off: { compare: 'none', name: () => 'No comparison', spanOf: () => undefined, match: 'start' },
};
const USUAL = KINDS[''] as Kind;

/** The choices for a range. */
export const comparisonsFor = (span: Span): { value: string; name: string }[] =>
  Object.entries(KINDS).map(([value, { name, spanOf }]) => {
    const compared = spanOf(span);
    return { value, name: name(compared ? spanText(compared) : '') };
  });

const kindOf = ({ more: { compare = '' } }: View): Kind =>
  (Object.hasOwn(KINDS, compare) ? KINDS[compare] : undefined) ?? USUAL;

/** The days that a range is compared with; undefined where it is with none. */
export const comparedSpan = (view: View, span: Span): Span | undefined => kindOf(view).spanOf(span);

/** How the points of the chart are matched with those of these days. */
export const matchOf = (view: View): Match => kindOf(view).match;

/** The parameters that say it to the API. */
export const compareQuery = (view: View): { compare: string } => ({ compare: kindOf(view).compare });
