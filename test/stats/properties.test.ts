import { test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

const NOW = 43_200;
const PRO = '{"plan":"pro"}';
const DARK = '{"plan":"pro","theme":"dark"}';
const FREE = '{"plan":"free"}';

/** Visits with one property, with several and with none, of today and of two days ago. */
const HITS = [TODAY, TODAY - 2].flatMap((day) => [
  pageview({ day, visitor: 1, second: NOW - 200, page: '/a', properties: PRO }),
  pageview({ day, visitor: 1, second: NOW - 150, page: '/a', properties: DARK }),
  pageview({ day, visitor: 1, second: NOW - 140, page: '/a', engaged: 10 }),
  pageview({ day, visitor: 2, second: NOW - 120, page: '/b', properties: FREE }),
  pageview({ day, visitor: 2, second: NOW - 100, page: '/b', event: 'buy', label: 'x', properties: PRO }),
  pageview({ day, visitor: 3, second: NOW - 9_000, page: '/a', properties: FREE }),
  pageview({ day, visitor: 4, second: NOW - 60, page: '/a' }),
]);

const FILTERS: Query[] = [
  { 'filters[property:plan]': 'pro' },
  { 'filters[property:plan][not]': ['pro'] },
  { 'filters[property:plan][like]': ['*r*'], 'filters[page]': '/a' },
  { 'filters[property:plan][unlike]': ['p*'] },
  { 'filters[property:plan]': 'pro', 'filters[property:theme]': 'dark', 'filters[page]': '/a' },
  { 'filters[property:never]': 'pro' },
];

const REPORTS: [path: string, query: Query][] = [
  ['overview', { metrics: 'time_on_page' }],
  ['timeseries', {}],
  ['timeseries', { interval: 'hour', range: 'today' }],
  ['realtime', {}],
  ['live', {}],
  ['goals', {}],
  ['funnels/1', {}],
  ['breakdown/pages', { metrics: 'visits,pageviews,time_on_page' }],
  ['breakdown/properties', { metrics: 'count' }],
  ['breakdown/property_values', { property: 'plan', metrics: 'count' }],
  ['breakdown/property_values', { property: 'plan', event: 'buy' }],
  ['breakdown/property_values', { property: 'never' }],
  ['breakdown/events', { metrics: 'count' }],
  ['breakdown/event_labels', { event: 'buy', metrics: 'count' }],
  ['breakdown/countries', { metrics: 'visits,pageviews,conversions' }],
];

test('properties: every report counts the hits that meet all conditions together', async (t) => {
  const app = await startApp(t);
  const goals = [
    { type: 'page' as const, value: '/a' },
    { type: 'event' as const, value: 'buy' },
    { type: 'event' as const, value: 'buy', property: { name: 'plan', value: 'p*' } },
    { type: 'page' as const, value: '/a', property: { name: 'plan', value: 'free' } },
  ];
  const site = await openSite(app, { goals, funnels: [goals] });
  await site.store(HITS);
  const [funnel] = site.known.funnels;
  const questions = [{}, ...FILTERS]
    .flatMap((filters) =>
      REPORTS.map(([path, query]) => ({
        path: path.replace('funnels/1', `funnels/${funnel?.id}`),
        query: { range: '7d', ...query, ...filters },
      })),
    )
    .map(({ path, query: { range, ...query } }) => ({
      path,
      query: path === 'realtime' || path === 'live' ? query : { range, ...query },
    }));
  await site.agree('open', questions);
  await app.seal();
  await site.agree('sealed', questions);
});
