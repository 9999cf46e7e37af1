import type { Breakdown } from './dimensions.ts';
import { cutIn, type Question, spansOf } from './question.ts';

/** Totals that a file with sums of days may lack. A day without one of the others is not imported. */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/** A sum of a day that its import did not have: a total, or a breakdown with all its rows. */
export type UnknownSum = UnknownTotal | Breakdown;

/** What is not known of a day, and how many visitors it had. */
export type UnknownDay = { day: number; names: readonly UnknownSum[]; visitors: number };

/** What an answer lacks: a figure, rows, or goals of a type. The days, and how many visitors they had. */
export type Lack = { what: UnknownTotal | 'rows' | 'page' | 'event'; days: number[]; visitors: number };

/** What a question needs of each day that may not be known. */
function needsOf(question: Question): [Lack['what'], UnknownSum][] {
  switch (question.report) {
    case 'overview':
      return UNKNOWN_TOTALS.map((name) => [name, name]);
    case 'timeseries':
      return [
        ...(question.metrics?.includes('bounce_rate') ? [['bounces', 'bounces'] as const] : []),
        ...(question.metrics?.includes('visit_duration') ? [['seconds', 'seconds'] as const] : []),
      ].map(([what, name]) => [what, name]);
    case 'breakdown':
      return [['rows', question.breakdown]];
    case 'goals':
      return [
        ['page', 'pages'],
        ['event', 'events'],
      ].filter(([type]) => question.goals.some((goal) => goal.type === type)) as [Lack['what'], UnknownSum][];
    default:
      return [];
  }
}

/** What the answer to a question lacks because of these days. */
export const lacksIn = (question: Question, days: readonly UnknownDay[]): Lack[] =>
  needsOf(question).flatMap(([what, name]) => {
    const own = days.filter(({ names }) => names.includes(name));
    const visitors = own.reduce((sum, one) => sum + one.visitors, 0);
    return own.length === 0 ? [] : [{ what, days: own.map(({ day }) => day), visitors }];
  });

/** The totals that are not known of each span of a question, because a day in it lacks them. */
export function unknownOf(question: Question, days: readonly UnknownDay[]): UnknownTotal[][] {
  const cut = cutIn(question);
  return spansOf(question).map(({ from, to }, i) => {
    // A day with sums only cannot be cut, and counts whole.
    const end = cut && i === 1 ? cut.day + 1 : to;
    const names = new Set(days.filter(({ day }) => day >= from && day < end).flatMap((one) => one.names));
    return UNKNOWN_TOTALS.filter((name) => names.has(name));
  });
}
