import { test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { agreeOnEveryReport, type Report } from './every-report.ts';
import type { Query } from './visits.ts';

const NOW = 43_200;
const [SHOP, BLOG] = ['shop.example.com', 'www.example.com'];

/** Visits of one host, of two hosts, and with an event, of today and of two days ago. */
const HITS = [TODAY, TODAY - 2].flatMap((day) => [
  pageview({ day, visitor: 1, second: NOW - 200, page: '/a', hostname: SHOP }),
  pageview({ day, visitor: 1, second: NOW - 150, page: '/a', hostname: BLOG }),
  pageview({ day, visitor: 1, second: NOW - 140, page: '/a', hostname: BLOG, engaged: 10 }),
  pageview({ day, visitor: 2, second: NOW - 120, page: '/b', hostname: SHOP }),
  pageview({ day, visitor: 2, second: NOW - 100, page: '/b', hostname: SHOP, event: 'buy', label: 'x' }),
  pageview({ day, visitor: 3, second: NOW - 9_000, page: '/a', hostname: BLOG }),
  pageview({ day, visitor: 4, second: NOW - 60, page: '/a' }),
]);

const FILTERS: Query[] = [
  { 'filters[hostname]': SHOP },
  { 'filters[hostname][not]': [SHOP] },
  { 'filters[hostname][like]': ['*.example.com'], 'filters[page]': '/a' },
  { 'filters[hostname]': SHOP, 'filters[page]': '/a' },
  { 'filters[hostname]': BLOG, 'filters[event]': 'buy' },
];

const REPORTS: Report[] = [['breakdown/hostnames', { metrics: 'visits,pageviews,time_on_page' }]];

test('host names: every report counts the hits that meet the page and the host name together', async (t) => {
  const goals = [
    { type: 'page' as const, value: '/a' },
    { type: 'event' as const, value: 'buy' },
  ];
  await agreeOnEveryReport(t, { hits: HITS, goals, filters: FILTERS, reports: REPORTS });
});
