// The queries that each engine gets: every report over the year, then every kind of filter.
import type { Attribute } from './tables.ts';

export type Target = { type: 'page' | 'event'; value: string };

export const GOALS: readonly Target[] = [
  { type: 'page', value: '/pricing/article-1' },
  { type: 'page', value: '/guide/article-40' },
  { type: 'event', value: 'signup' },
  { type: 'event', value: 'purchase' },
];

export const FUNNELS: readonly (readonly Target[])[] = [
  [
    { type: 'page', value: '/' },
    { type: 'page', value: '/pricing/article-1' },
    { type: 'event', value: 'signup' },
  ],
  [
    { type: 'page', value: '/guide/*' },
    { type: 'page', value: '/pricing/*' },
    { type: 'event', value: 'signup' },
  ],
];

/** The breakdowns by a property of visits, each with its column. */
export const BY_VISIT = {
  entry_pages: 'entry',
  exit_pages: 'exit',
  referrers: 'source',
  utm_source: 'utm_source',
  countries: 'country',
  browsers: 'browser',
  utm_term: 'utm_term',
  browser_versions: 'browser_version',
  screens: 'screen',
  languages: 'language',
  channels: 'channel',
  cities: 'city',
} as const satisfies Record<string, Attribute>;

/** The breakdowns by a property of hits. */
export const BY_HIT = {
  pages: 'page',
  events: 'event',
  event_labels: 'label',
  hostnames: 'hostname',
  property_values: 'plan',
} as const;

export type Report =
  | keyof typeof BY_VISIT
  | keyof typeof BY_HIT
  | 'overview'
  | 'timeseries'
  | 'goals'
  | 'funnel'
  | 'table';

/** A key of a table. The names of columns are those of both tables. `plan` is the property of this name. */
export type Key = Attribute | OfHit | 'event' | 'day' | 'week' | 'month';

/** A condition on a text, with an operator and its values. */
export type Condition = { is?: string[]; not?: string[]; like?: string[]; unlike?: string[] };

/** `goal` is an index in GOALS. daybook gets the id of this goal. */
export type Filters = Partial<Record<Attribute | OfHit | 'event', string | Condition>> & { goal?: number };

/** Conditions that a hit must meet together to count. `plan` is the property of this name. */
type OfHit = 'page' | 'hostname' | 'plan';

/** The figures that a query asks for, of rows or of all pages. */
export type Metric =
  | 'visits'
  | 'pageviews'
  | 'bounce_rate'
  | 'visit_duration'
  | 'time_on_page'
  | 'conversions'
  | 'conversion_rate'
  | 'revenue'
  | 'scroll_depth';

export type Interval = 'hour' | 'day' | 'week' | 'month';

type More = {
  metrics?: Metric[];
  sort?: Metric;
  search?: string;
  offset?: number;
  interval?: Interval;
  /** `funnel` is an index in FUNNELS, by default 0. `goal` is an index in GOALS. */
  funnel?: number;
  goal?: number;
  /** The keys of a table, and groups of filters of which a visit must pass one. */
  by?: Key[];
  any?: Filters[];
  /** If set, the query is only about this number of days, the last ones. */
  days?: number;
};

export type Question = { report: Report; filters: Filters; event?: string } & More;

const of = (report: Report, filters: Filters = {}, more: More = {}): Question => ({
  report,
  filters,
  ...more,
  ...(report === 'event_labels' && { event: 'signup' }),
});

const table = (by: Key[], more: Omit<More, 'by'> = {}, filters: Filters = {}): Question =>
  of('table', filters, { by, ...more });

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
  of('pages', {}, { metrics: ['time_on_page'] }),
  of('pages', { country: 'DE' }, { metrics: ['time_on_page'], sort: 'time_on_page' }),
  of('pages', {}, { metrics: ['visits', 'pageviews'], sort: 'visits' }),
  of('overview', {}, { metrics: ['time_on_page'] }),
  of('referrers', {}, { metrics: ['conversions', 'conversion_rate'], goal: 0, sort: 'conversions' }),
  of('overview', { country: 'DE' }, { days: 180 }),
  of('timeseries', { page: { like: ['/guide/*'] } }, { interval: 'week' }),
  of('timeseries', {}, { interval: 'hour', days: 31 }),
  of('timeseries', { country: 'DE' }, { interval: 'hour', days: 31 }),
  of('timeseries', { page: '/pricing/article-1' }, { interval: 'hour', days: 31 }),
  of('funnel', {}, { funnel: 1 }),
  of('funnel', { country: { not: ['US'] } }, { funnel: 1 }),
  of('utm_term'),
  of('browser_versions'),
  of('screens', { language: 'de' }),
  of('languages', { screen: 'Mobile' }),
  of('browser_versions', { browser: 'Chrome', page: { like: ['/pricing/*'] } }),
  of('pages', { os_version: { not: ['Windows 18'] } }),
  of('languages', {}, { metrics: ['visits', 'bounce_rate'], sort: 'visits' }),
  of('overview', { utm_content: 'banner-1' }),
  of('channels'),
  of('channels', {}, { metrics: ['revenue'], sort: 'revenue' }),
  of('referrers', { country: 'DE' }, { metrics: ['revenue'], sort: 'revenue' }),
  of('cities', { country: 'DE' }),
  of('hostnames'),
  of('pages', { hostname: 'docs.example.com' }),
  of('property_values'),
  of('overview', { plan: 'pro' }),
  of('referrers', { plan: { is: ['pro', 'team'] } }),
  of('pages', {}, { metrics: ['scroll_depth'] }),
  ...[
    table(['channel', 'week'], { metrics: ['visits', 'revenue'] }),
    table(['country', 'browser']),
    table(['channel', 'country', 'month'], { metrics: ['visits', 'bounce_rate'] }),
    table(['source', 'device'], { metrics: ['visit_duration'] }, { country: 'DE' }),
    table(['entry', 'source']),
    table(['country', 'day'], { metrics: ['pageviews'] }),
    table(['city', 'screen'], { any: [{ device: 'Mobile' }, { browser: 'Firefox' }] }, { country: 'DE' }),
    table(['page', 'device'], { metrics: ['pageviews', 'time_on_page'] }),
    table(['page', 'country'], {}, { source: 'bing.com' }),
    table(['plan', 'country']),
    table(['event', 'channel', 'month']),
    table(['hostname', 'language'], { metrics: ['pageviews'] }, { page: { like: ['/guide/*'] } }),
  ],
];

function wordsOf(name: string, asked: string | number | Condition): string {
  if (name === 'goal') return 'a goal';
  if (typeof asked !== 'object') return `${name} ${asked}`;
  return Object.entries(asked)
    .map(([operator, values]) => `${name} ${operator} ${values.join(' or ') || 'none'}`)
    .join(' and ');
}

export const nameOf = ({
  report,
  filters,
  metrics = [],
  search,
  interval,
  funnel,
  days,
  by,
  any,
}: Question): string => {
  const describe = (some: Filters): string =>
    Object.entries(some)
      .map(([name, asked]) => wordsOf(name, asked))
      .join(' and ');
  const words = [describe(filters), any?.map(describe).join(' or ')].filter(Boolean);
  return [
    by ? `by ${by.join(' and ')}` : report,
    ...(words.length === 0 ? [] : [words.join(' and ')]),
    ...(metrics.length === 0 ? [] : [`with ${metrics.join(' and ')}`]),
    ...(search === undefined ? [] : [`with ${search} in them`]),
    ...(interval === undefined ? [] : [`by ${interval}`]),
    ...(funnel === undefined ? [] : ['of patterns']),
    ...(days === undefined ? [] : [`${days} days`]),
  ].join(', ');
};

/** The days from `from` to `to`, with both. */
export type Span = { from: string; to: string };

const DAY_MS = 86_400_000;
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const daysOf = ({ from, to }: Span): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const before = (span: Span): Span => ({
  from: shifted(span.from, -daysOf(span)),
  to: shifted(span.from, -1),
});

/** Returns the last days of a span. */
export const lastDays = ({ to }: Span, days: number): Span => ({ from: shifted(to, 1 - days), to });

/** Returns the days that a query is about, within `span`. */
export const spanOf = ({ days }: Question, span: Span): Span =>
  days === undefined ? span : lastDays(span, Math.min(days, daysOf(span)));

const HOURS = Array.from({ length: 24 }, (_, hour) => `T${String(hour).padStart(2, '0')}:00:00+00:00`);

/** 5 January 1970 was a Monday. */
const mondayOf = (day: string): string => shifted(day, -((Date.parse(day) / DAY_MS + 3) % 7));

const PERIODS: Record<Interval, (day: string) => string[]> = {
  hour: (day) => HOURS.map((hour) => `${day}${hour}`),
  day: (day) => [day],
  week: (day) => [mondayOf(day)],
  month: (day) => [day.slice(0, 7)],
};

/**
 * Lists the periods of a span, by the names that a time series gives them. Without an interval, periods are days or
 * months.
 */
export function periods(span: Span, asked?: Interval): { interval: Interval; dates: string[] } {
  const days = Array.from({ length: daysOf(span) }, (_, i) => shifted(span.from, i));
  const interval = asked ?? (days.length <= 90 ? 'day' : 'month');
  return { interval, dates: [...new Set(days.flatMap(PERIODS[interval]))] };
}
