import type { Goal } from '../../api/goals.ts';
import type { Figures } from '../../api/stats.ts';
import { DIMENSIONS } from '../../stats/dimensions.ts';
import { country, day, duration, number, percent } from '../format.ts';
import type { FilterName } from '../view.ts';
import type { Point, Shown } from './points.ts';
import type { Span } from './range.ts';

/** What the page says, apart from how it looks. */

type Filter = {
  name: string;
  /** Whose rows are the values to choose from. */
  breakdown: string;
  /** What an empty value means, where there is one. */
  empty?: string;
};

export const FILTER_WORDS: Record<FilterName, Filter> = {
  ...DIMENSIONS,
  goal: { name: 'Goal', breakdown: 'goals' },
};

export function valueText(filter: FilterName, value: string, goals: Pick<Goal, 'id' | 'value'>[] = []): string {
  if (filter === 'goal') return goals.find(({ id }) => String(id) === value)?.value ?? `number ${value}`;
  if (value === '') return FILTER_WORDS[filter].empty ?? 'none';
  return filter === 'country' ? country(value.toUpperCase()) : value;
}

export const VISITORS_HELP =
  'A visitor is counted once a day. Nobody is recognised on another day, so who comes on three days is counted three times.';

type Figure = {
  name: string;
  text(value: number): string;
  isLessBetter?: true;
  /** It grows all day long, so that a day that is not over has less than one that is. */
  isSum?: true;
};

export const FIGURES: Record<keyof Figures, Figure> = {
  visitors: { name: 'Visitors', text: number, isSum: true },
  pageviews: { name: 'Pageviews', text: number, isSum: true },
  visits: { name: 'Visits', text: number, isSum: true },
  bounce_rate: { name: 'Bounce rate', text: percent, isLessBetter: true },
  visit_duration: { name: 'Visit duration', text: duration },
};

export type Trend = { sign: '↑' | '↓' | '=' | '–'; text: string; kind: '' | 'good' | 'bad'; words: string };

/** How a figure changed: as a sign with a figure, and as a sentence. */
export function trendOf(by: number | null, before: string, when: string, isLessBetter = false): Trend {
  if (by === null)
    return { sign: '–', text: '', kind: '', words: `Nothing to compare with: it was ${before} (${when}).` };
  if (by === 0) return { sign: '=', text: percent(0), kind: '', words: `The same as before: ${before} (${when}).` };
  const [sign, way] = by > 0 ? (['↑', 'Up'] as const) : (['↓', 'Down'] as const);
  const text = percent(Math.abs(by));
  return {
    sign,
    text,
    kind: by > 0 === isLessBetter ? 'bad' : 'good',
    words: `${way} ${text} from ${before} (${when}).`,
  };
}

/** Of a day that is not over, less is no bad news. */
export const trendSoFar = (trend: Trend): Trend => ({
  ...trend,
  kind: '',
  words: `${trend.words} Today is not over yet.`,
});

const spanFormat = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const dateOf = (text: string): Date => new Date(`${text}T00:00:00Z`);

export const spanText = ({ from, to }: Span): string => spanFormat.formatRange(dateOf(from), dateOf(to));

/** A day with its weekday, a month, or the days of a month that the range holds. */
export function pointTitle({ date, span, isOpen, isPart }: Point): string {
  const title = isPart ? spanText(span) : day(date);
  return isOpen ? `${title}, so far` : title;
}

export function countText({ value }: Point, shown: Shown): string {
  return value === null ? 'still to come' : `${number(value)} ${FIGURES[shown].name.toLowerCase()}`;
}

/** A point in one sentence, for who hears the chart. */
export const pointSentence = (point: Point, shown: Shown): string =>
  [
    `${pointTitle(point)}: ${countText(point, shown)}`,
    ...(point.before ? [`${day(point.before.date)}: ${number(point.before.value)}`] : []),
    ...point.notes.map(({ text }) => `note: ${text}`),
  ].join('; ');

/** The name of a weekday, of any week. */
export const weekdayText = (date: string, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', weekday }).format(dateOf(date));
