import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CURRENCIES,
  divideAmount,
  findDigits,
  HALF,
  parseAmount,
  parseRevenue,
  readAmountCounts,
  writeAmount,
  writeAmountCounts,
  writeRevenue,
} from '../../src/stats/revenue.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { agreeOnEveryReport, type Report } from './every-report.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

test('revenue: an amount has the digits of its currency, and comes back as it was given', () => {
  const cases: [amount: string, currency: string, minor: number, written: string][] = [
    ['19.99', 'EUR', 1999, '19.99'],
    ['19.9', 'EUR', 1990, '19.90'],
    ['7', 'EUR', 700, '7.00'],
    ['0', 'EUR', 0, '0.00'],
    ['0.05', 'USD', 5, '0.05'],
    ['150', 'JPY', 150, '150'],
    ['0', 'JPY', 0, '0'],
    ['1.001', 'KWD', 1001, '1.001'],
    ['9999999.9999', 'CLF', 99_999_999_999, '9999999.9999'],
  ];
  for (const [amount, currency, minor, written] of cases) {
    assert.equal(parseAmount(amount, currency), minor, amount);
    assert.equal(writeAmount(minor, currency), written);
    assert.deepEqual(parseRevenue(writeRevenue({ currency, amount: minor })), { currency, amount: minor });
  }
});

test('revenue: what is no amount of the currency is none', () => {
  const refused = ['', '-1', '+1', '1e3', '1.999', '.5', '5.', '10000000', '1,50', ' 1', '1 ', 'NaN', '0x10', '١'];
  for (const amount of refused) assert.equal(parseAmount(amount, 'EUR'), undefined, amount);
  assert.equal(parseAmount('1.5', 'JPY'), undefined);
  assert.equal(parseRevenue(''), undefined);
});

test('revenue: each visitor gets an equal share, rounded half away from zero', () => {
  assert.equal(divideAmount(1000, 3, 'EUR'), '3.33');
  assert.equal(divideAmount(5, 2, 'EUR'), '0.03');
  assert.equal(divideAmount(1, 3, 'EUR'), '0.00');
  assert.equal(divideAmount(99_999_999_999, 2, 'JPY'), '50000000000');
  assert.equal(divideAmount(5, 0, 'EUR'), null);
});

test('revenue: the currencies are those that browsers know, each once', () => {
  assert.equal(new Set(CURRENCIES).size, CURRENCIES.length);
  const known = new Set(Intl.supportedValuesOf('currency'));
  const unknown = CURRENCIES.filter((name) => !known.has(name));
  // Units of account, which no shop has prices in.
  assert.deepEqual(unknown, ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED']);
  assert.deepEqual(['JPY', 'EUR', 'BHD', 'UYW'].map(findDigits), [0, 2, 3, 4]);
});

test('revenue: a sum beyond 32 bits is kept as two counts', () => {
  const sums = { EUR: 5, IDR: 3 * HALF + 7 };
  const counts = writeAmountCounts(sums);
  for (const { visitors, hits } of counts) assert.ok(visitors < HALF && hits < HALF);
  assert.deepEqual(readAmountCounts(counts), sums);
});

const NOW = 43_200;

/** Sales of a pageview and of events, in two currencies, one of nothing, and one beyond the limit of a day. */
const HITS = [TODAY, TODAY - 2].flatMap((day) => [
  pageview({ day, visitor: 1, second: NOW - 200, page: '/a', country: 'DE' }),
  pageview({ day, visitor: 1, second: NOW - 150, page: '/b', event: 'buy', revenue: 'EUR 1999' }),
  pageview({ day, visitor: 1, second: NOW - 140, page: '/a', event: 'buy', revenue: 'EUR 1' }),
  pageview({ day, visitor: 2, second: NOW - 120, page: '/a', country: 'FR', revenue: 'EUR 500' }),
  pageview({ day, visitor: 2, second: NOW - 100, page: '/b', event: 'buy', revenue: 'USD 700' }),
  pageview({ day, visitor: 3, second: NOW - 9_000, page: '/a', revenue: 'EUR 0' }),
  pageview({ day, visitor: 3, second: NOW - 60, page: '/a', event: 'buy', revenue: '(other)' }),
]);

const FILTERS: Query[] = [
  { 'filters[page]': '/a' },
  { 'filters[country]': 'DE' },
  { 'filters[event]': 'buy', 'filters[page]': '/b' },
  { 'filters[page]': '/never' },
];

const REVENUE = { metrics: 'revenue', currency: 'EUR' };

const REPORTS: Report[] = [
  ['overview', REVENUE],
  ['overview', { metrics: 'revenue,time_on_page', currency: 'USD', compare: 'none' }],
  ['timeseries', { metrics: 'revenue,revenue_per_visitor', currency: 'EUR' }],
  ['goals', REVENUE],
  ['breakdown/countries', { metrics: 'revenue,revenue_per_visitor', currency: 'EUR', sort: 'revenue' }],
  ['breakdown/channels', { metrics: 'visits,revenue', currency: 'JPY', sort: 'revenue' }],
  ['breakdown/exit_pages', { metrics: 'revenue_per_visitor', currency: 'EUR', sort: 'revenue_per_visitor' }],
];

test('revenue: every report adds up the amounts of one currency, and says what it leaves out', async (t) => {
  const goals = [
    { type: 'page' as const, value: '/a' },
    { type: 'event' as const, value: 'buy' },
  ];
  await agreeOnEveryReport(t, { hits: HITS, goals, filters: FILTERS, reports: REPORTS });
});

test('revenue: a day that loses its hits keeps its revenue', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const revenues = ['EUR 1999', 'USD 1', 'EUR 9999999999'];
  await site.store(revenues.map((revenue, visitor) => pageview({ day: TODAY - 9, visitor, revenue })));
  await app.seal();
  const query = { range: '30d', metrics: 'revenue', currency: 'EUR' };
  const ask = () => Promise.all(['overview', 'timeseries'].map((path) => site.ask({ path, query })));
  const before = await ask();
  assert.equal(before[0].revenue, '100000019.98');
  app.db.write(() => keepDays(app.db, site.known.siteId, 5));
  await app.seal();
  assert.deepEqual(await ask(), before);
  // A report that needs hits says that the day is left out, so the hits are gone.
  const [{ visitors }] = [await site.ask({ path: 'overview', query: { ...query, 'filters[page]': '/' } })];
  assert.equal(visitors, 0);
});
