import { test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { agreeOnEveryReport, type Report } from './every-report.ts';
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

const REPORTS: Report[] = [
  ['breakdown/properties', { metrics: 'count' }],
  ['breakdown/property_values', { property: 'plan', metrics: 'count' }],
  ['breakdown/property_values', { property: 'plan', event: 'buy' }],
  ['breakdown/property_values', { property: 'never' }],
];

test('properties: every report counts the hits that meet all conditions together', async (t) => {
  const goals = [
    { type: 'page' as const, value: '/a' },
    { type: 'event' as const, value: 'buy' },
    { type: 'event' as const, value: 'buy', property: { name: 'plan', value: 'p*' } },
    { type: 'page' as const, value: '/a', property: { name: 'plan', value: 'free' } },
  ];
  await agreeOnEveryReport(t, { hits: HITS, goals, filters: FILTERS, reports: REPORTS });
});
