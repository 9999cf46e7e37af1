import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive } from './naive.ts';
import { type Goal, matches, type Query } from './visits.ts';

const NOON = TODAY * 86_400 + 43_200;

function ask(hits: readonly Hit[], path: string, query: Query, goals: readonly Goal[] = []) {
  const site = { hits, crawls: [], goals, funnels: [], crawlers: [] };
  // biome-ignore lint/suspicious/noExplicitAny: the cases look into parts of many shapes
  return naive(site, { path, query: { range: 'today', ...query } }, NOON) as any;
}

/** Hits of one visitor, so many seconds after ten o'clock. */
const at = (second: number, more: Partial<Hit> = {}): Hit => pageview({ second: 36_000 + second, ...more });
const visitors = (hits: Hit[], query: Query): number => ask(hits, 'overview', query).visitors;

test('a star in a pattern is any run of characters, and all else is itself', () => {
  const cases: [pattern: string, fits: string[], others: string[]][] = [
    ['*', ['', '/', 'a\nb'], []],
    ['/a', ['/a'], ['/A', '/ab', '']],
    ['/a/*', ['/a/', '/a/b', '/a/b/c'], ['/a', '/b/a/']],
    ['*a*b', ['ab', 'xaxb', 'abab'], ['aba', 'b']],
    ['a*a', ['aa', 'aba'], ['a']],
    ['.+', ['.+'], ['ab']],
  ];
  for (const [pattern, fits, others] of cases) {
    for (const text of fits) assert.ok(matches(text, pattern), `${text} is ${pattern}`);
    for (const text of others) assert.ok(!matches(text, pattern), `${text} is not ${pattern}`);
  }
});

test('the conditions on a value hold together, those on events each by itself', () => {
  const hits = [at(0, { browser: 'Chrome' }), at(9, { event: 'buy' }), at(9, { event: 'bye' })];
  const cases: [query: Query, visitors: number][] = [
    [{ 'filters[browser][is]': ['Opera', 'Chrome'] }, 1],
    [{ 'filters[browser][is]': 'Chrome', 'filters[browser][unlike]': 'C*' }, 0],
    [{ 'filters[browser][not]': ['Opera', 'Safari'], 'filters[os][not]': 'x' }, 1],
    [{ 'filters[os][not]': '' }, 0],
    [{ 'filters[event][is]': 'buy', 'filters[event][like]': '*e' }, 1],
    [{ 'filters[event][not]': 'sell', 'filters[event][unlike]': 'x*' }, 1],
    [{ 'filters[event][is]': 'buy', 'filters[event][not]': 'bye' }, 0],
    [{ 'filters[event][unlike]': '*' }, 0],
  ];
  for (const [query, expected] of cases) assert.equal(visitors(hits, query), expected, JSON.stringify(query));
});

test('a page counts where it meets all conditions on pages, and no event is named like nothing', () => {
  const hits = [at(0, { page: '/a' }), at(1, { page: '/a/b' }), at(2, { page: '/c' })];
  const asked = { 'filters[page][like]': '/a*', 'filters[page][not]': '/a' };
  const { visits, pageviews } = ask(hits, 'overview', asked);
  assert.deepEqual([visits, pageviews], [1, 1]);
  assert.equal(visitors(hits, { 'filters[event][like]': '*' }), 0);
  assert.equal(visitors(hits, { 'filters[exit]': '/c', 'filters[entry][unlike]': '/c*' }), 1);
});

test('a goal that is a pattern is reached by any such page, and may be reached by none', () => {
  const goals = [{ id: 1, type: 'page', value: '/a*' } as const];
  const hits = [at(0, { page: '/a' }), at(1, { page: '/ab' }), at(0, { visitor: 2, page: '/b' })];
  const [goal] = ask(hits, 'goals', {}, goals).goals;
  assert.deepEqual([goal.visitors, goal.conversions, goal.conversion_rate], [1, 2, 50]);
  // A page filter selects visits, and of these any hit may reach a goal.
  const [onPage] = ask(hits, 'goals', { 'filters[page]': '/ab' }, goals).goals;
  assert.deepEqual([onPage.visitors, onPage.conversions, onPage.conversion_rate], [1, 2, 100]);
  const reached = { filters: { goal: { not: [1] } }, visitors: 1 };
  const { filters, visitors } = ask(hits, 'overview', { 'filters[goal][not]': '1' }, goals);
  assert.deepEqual({ filters, visitors }, reached);
});

test('a row has the figures of the visits with its value', () => {
  const goals = [{ id: 1, type: 'event', value: 'buy' } as const];
  const hits = [
    at(0, { source: 'x.org', page: '/a' }),
    at(40, { source: 'x.org', page: '/b' }),
    at(50, { event: 'buy', page: '/b' }),
    at(60, { event: 'buy', page: '/b' }),
    at(0, { visitor: 2, source: 'x.org', page: '/b' }),
    at(0, { visitor: 3, page: '/a' }),
  ];
  const metrics = 'visits,pageviews,bounce_rate,visit_duration,conversions,conversion_rate';
  const { rows } = ask(hits, 'breakdown/referrers', { metrics, goal: '1', 'filters[page]': '/b' }, goals);
  const figures = { pageviews: 2, bounce_rate: 50, visit_duration: 30, conversions: 2, conversion_rate: 50 };
  assert.deepEqual(rows, [{ value: 'x.org', visitors: 2, visits: 2, ...figures }]);
  const events = ask(hits, 'breakdown/events', { metrics: 'count' }).rows;
  assert.deepEqual(events, [{ value: 'buy', visitors: 1, count: 2 }]);
});

test('the time on a page is the mean of its pageviews that told, and what is not known stands last', () => {
  const seen = (second: number, page: string, engaged: number) => ({ ...at(second, { page }), engaged });
  const hits = [at(0, { page: '/a' }), seen(5, '/a', 5), at(9, { page: '/a' }), seen(20, '/a', 10), seen(21, '/a', 2)];
  const all = [...hits, at(30, { page: '/b' }), at(31, { page: '/a' }), at(32, { page: '/c' }), seen(33, '/c', 1)];
  const { rows } = ask(all, 'breakdown/pages', { metrics: 'time_on_page,visits,pageviews', sort: 'time_on_page' });
  assert.deepEqual(rows, [
    { value: '/a', visitors: 1, time_on_page: 9, visits: 1, pageviews: 3 },
    { value: '/c', visitors: 1, time_on_page: 1, visits: 1, pageviews: 1 },
    { value: '/b', visitors: 1, time_on_page: null, visits: 1, pageviews: 1 },
  ]);
  const { time_on_page, previous, change } = ask(all, 'overview', { metrics: 'time_on_page' });
  assert.deepEqual([time_on_page, previous.time_on_page, change.time_on_page], [6, null, null]);
});

test('rows are searched, then ordered, then cut', () => {
  const texts = ['Ab', 'b', 'xB', 'B'];
  const hits = texts.map((browser, visitor) => at(0, { visitor, browser }));
  const { rows } = ask(hits, 'breakdown/browsers', { search: 'b', offset: '1', limit: '2' });
  assert.deepEqual(
    rows.map(({ value }: { value: string }) => value),
    ['B', 'b'],
  );
});
