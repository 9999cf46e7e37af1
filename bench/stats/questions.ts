// What is asked of each engine: every report over the year, then every kind of filter.
import type { Attribute } from './tables.ts';

export type Target = { type: 'page' | 'event'; value: string };

export const GOALS: readonly Target[] = [
  { type: 'page', value: '/pricing/article-1' },
  { type: 'page', value: '/guide/article-40' },
  { type: 'event', value: 'signup' },
  { type: 'event', value: 'purchase' },
];

export const FUNNEL: readonly Target[] = [
  { type: 'page', value: '/' },
  { type: 'page', value: '/pricing/article-1' },
  { type: 'event', value: 'signup' },
];

/** Breakdowns by what a visit has, with the column that holds it. */
export const BY_VISIT = {
  entry_pages: 'entry',
  exit_pages: 'exit',
  referrers: 'source',
  utm_source: 'utm_source',
  countries: 'country',
  browsers: 'browser',
} as const satisfies Record<string, Attribute>;

/** Breakdowns by what a hit has. */
export const BY_HIT = { pages: 'page', events: 'event', event_labels: 'label' } as const;

export type Report = keyof typeof BY_VISIT | keyof typeof BY_HIT | 'overview' | 'timeseries' | 'goals' | 'funnel';

/** What operators say of a value. */
export type Condition = { is?: string[]; not?: string[]; like?: string[]; unlike?: string[] };

/** `goal` is a place in GOALS; daybook is asked by its id there. */
export type Filters = Partial<Record<Attribute | 'page' | 'event', string | Condition>> & { goal?: number };

/** The figures of rows that are asked for, of breakdowns by what a visit has. */
export type Metric = 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration';

type Rows = { metrics?: Metric[]; sort?: Metric; search?: string; offset?: number };

export type Question = { report: Report; filters: Filters; event?: string } & Rows;

const of = (report: Report, filters: Filters = {}, rows: Rows = {}): Question => ({
  report,
  filters,
  ...rows,
  ...(report === 'event_labels' && { event: 'signup' }),
});

export const QUESTIONS: readonly Question[] = [
  of('overview'),
  of('timeseries'),
  of('pages'),
  of('entry_pages'),
  of('exit_pages'),
  of('referrers'),
  of('utm_source'),
  of('countries'),
  of('browsers'),
  of('events'),
  of('event_labels'),
  of('goals'),
  of('funnel'),
  of('entry_pages', { country: 'DE' }),
  of('overview', { country: 'US', device: 'Mobile' }),
  of('pages', { source: 'bing.com' }),
  of('referrers', { page: '/pricing/article-1' }),
  of('timeseries', { entry: '/' }),
  of('exit_pages', { event: 'signup' }),
  of('countries', { goal: 0 }),
  of('funnel', { utm_source: 'newsletter' }),
  of('goals', { browser: 'Chrome', os: 'Windows' }),
  of('overview', { page: '/pricing/article-1', event: 'signup' }),
  of('events', { country: 'US', goal: 2 }),
  of('overview', { page: { like: ['/pricing/*'] } }),
  of('referrers', { page: { like: ['*article-4*', '/guide/*'] } }),
  of('pages', { source: { not: ['bing.com', ''] } }),
  of('countries', { event: { not: ['signup'] } }),
  of('overview', { exit: '/' }),
  of('timeseries', { browser: { like: ['*o*'] } }),
  of('entry_pages', { country: { is: ['DE', 'US'] } }),
  of('pages', { page: { unlike: ['/pricing/*', '*9'] } }),
  of('referrers', {}, { metrics: ['visits', 'pageviews', 'bounce_rate', 'visit_duration'] }),
  of('countries', { device: { not: ['Mobile'] } }, { metrics: ['visits', 'bounce_rate'], sort: 'visits' }),
  of('entry_pages', { os: 'Windows' }, { metrics: ['bounce_rate'], sort: 'bounce_rate' }),
  of('pages', {}, { search: 'ARTICLE-1', offset: 5 }),
];

function wordsOf(name: string, asked: string | number | Condition): string {
  if (name === 'goal') return 'a goal';
  if (typeof asked !== 'object') return `${name} ${asked}`;
  return Object.entries(asked)
    .map(([operator, values]) => `${name} ${operator} ${values.join(' or ') || 'none'}`)
    .join(' and ');
}

export const nameOf = ({ report, filters, metrics = [], search }: Question): string => {
  const words = Object.entries(filters).map(([name, asked]) => wordsOf(name, asked));
  return [
    report,
    ...(words.length === 0 ? [] : [words.join(' and ')]),
    ...(metrics.length === 0 ? [] : [`with ${metrics.join(' and ')}`]),
    ...(search === undefined ? [] : [`with ${search} in them`]),
  ].join(', ');
};

/** Days from and to, both included. */
export type Span = { from: string; to: string };

const DAY_MS = 86_400_000;
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const daysOf = ({ from, to }: Span): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const before = (span: Span): Span => ({
  from: shifted(span.from, -daysOf(span)),
  to: shifted(span.from, -1),
});

/** The last days of a span. */
export const lastDays = ({ to }: Span, days: number): Span => ({ from: shifted(to, 1 - days), to });

/** The days or months of a span, as a time series names them. */
export function periods(span: Span): { interval: 'day' | 'month'; dates: string[] } {
  const days = Array.from({ length: daysOf(span) }, (_, i) => shifted(span.from, i));
  if (days.length <= 90) return { interval: 'day', dates: days };
  return { interval: 'month', dates: [...new Set(days.map((day) => day.slice(0, 7)))] };
}
