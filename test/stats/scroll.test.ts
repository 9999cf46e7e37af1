import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

const NOW = 40_000;

/** Pages that told how much of them was seen once, several times, before and after an event, and not at all. */
const HITS = [TODAY, TODAY - 2].flatMap((day) => [
  pageview({ day, visitor: 1, second: NOW, page: '/a' }),
  pageview({ day, visitor: 1, second: NOW + 10, page: '/a', engaged: 10, scroll: 40 }),
  pageview({ day, visitor: 1, second: NOW + 20, page: '/a', engaged: 0, scroll: 70 }),
  pageview({ day, visitor: 1, second: NOW + 30, page: '/a', engaged: 10, scroll: 60 }),
  pageview({ day, visitor: 1, second: NOW + 40, page: '/b' }),
  pageview({ day, visitor: 1, second: NOW + 50, page: '/b', event: 'buy' }),
  pageview({ day, visitor: 1, second: NOW + 60, page: '/b', engaged: 10, scroll: 100 }),
  pageview({ day, visitor: 1, second: NOW + 70, page: '/a' }),
  pageview({ day, visitor: 1, second: NOW + 80, page: '/a', engaged: 10, scroll: 0 }),
  pageview({ day, visitor: 2, second: NOW, page: '/a' }),
  pageview({ day, visitor: 2, second: NOW + 10, page: '/a', engaged: 10 }),
  pageview({ day, visitor: 2, second: NOW + 20, page: '/c', event: 'buy' }),
  pageview({ day, visitor: 2, second: NOW + 30, page: '/c', engaged: 10, scroll: 90 }),
  pageview({ day, visitor: 3, second: NOW, page: '/d' }),
]);

const metrics = 'visits,pageviews,time_on_page,scroll_depth';
const FILTERS: Query[] = [{}, { 'filters[page]': '/a' }, { 'filters[page][not]': '/a' }, { 'filters[event]': 'buy' }];
const QUESTIONS = FILTERS.flatMap((filters) =>
  ['breakdown/pages', 'breakdown/hostnames'].flatMap((path) => [
    { path, query: { range: '7d', metrics, ...filters } },
    { path, query: { range: '7d', metrics, sort: 'scroll_depth', order: 'asc', ...filters } },
  ]),
);

test('the depth of a page is the mean of its pageviews that told, whose largest depth counts, also after an event', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const [asked] = QUESTIONS;
  assert.ok(asked);
  const depths = async () => {
    const { rows } = (await site.ask({ ...asked, query: { ...asked.query, metrics: 'scroll_depth' } })) as {
      rows: { value: string; scroll_depth: number | null }[];
    };
    return Object.fromEntries(rows.map(({ value, scroll_depth }) => [value, scroll_depth]));
  };
  await site.store(HITS);
  // Of /a: 70 and 0, and one that did not tell. What is told on /c has no pageview.
  const known = { '/a': 35, '/b': 100, '/d': null };
  assert.deepEqual(await depths(), known);
  await site.agree('open', QUESTIONS);
  await app.seal();
  await site.agree('sealed', QUESTIONS);
  await site.store([
    pageview({ visitor: 8, second: NOW + 100, page: '/d' }),
    pageview({ visitor: 8, second: NOW + 110, page: '/d', engaged: 5, scroll: 33 }),
  ]);
  await site.agree('topped up', QUESTIONS);
  assert.deepEqual(await depths(), { ...known, '/d': 33 });
  app.clock.pass(DAY);
  await app.seal();
  await site.agree('sealed with the later hits', QUESTIONS);
  await app.restart();
  await site.agree('after a restart', QUESTIONS);
});

test('a depth that comes before its pageview is stored, or late, belongs to the pageview that was there when it came', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  await site.store([
    pageview({ visitor: 1, second: NOW, page: '/a' }),
    pageview({ visitor: 1, second: NOW + 40, page: '/a', engaged: 1, scroll: 50 }),
    pageview({ visitor: 1, second: NOW + 20, page: '/a' }),
    pageview({ visitor: 1, second: NOW + 10, page: '/a', engaged: 1, scroll: 80 }),
    pageview({ visitor: 1, second: NOW + 30, page: '/a', event: 'buy' }),
    pageview({ visitor: 1, second: NOW + 35, page: '/a', engaged: 1, scroll: 20 }),
    pageview({ visitor: 2, second: NOW + 20, page: '/b', engaged: 1, scroll: 20 }),
    pageview({ visitor: 2, second: NOW + 20, page: '/b' }),
    pageview({ visitor: 2, second: NOW + 25, page: '/b', engaged: 0, scroll: 5 }),
  ]);
  await site.agree('open', QUESTIONS);
  app.clock.pass(DAY);
  await app.seal();
  await site.agree('sealed', QUESTIONS);
});

test('goals: a page counts only if it was seen down to the depth of the goal', async (t) => {
  const app = await startApp(t);
  const depths = [undefined, 1, 40, 70, 71, 100];
  const goals = depths.map((scroll) => ({ type: 'page' as const, value: '/*', ...(scroll && { scroll }) }));
  const site = await openSite(app, { goals });
  await site.store(HITS);
  const ids = site.known.goals.map(({ id }) => String(id));
  const questions = FILTERS.flatMap((filters) => [
    { path: 'goals', query: { range: '7d', ...filters } },
    ...ids.flatMap((id) => [
      { path: 'overview', query: { range: '7d', ...filters, 'filters[goal]': id } },
      { path: 'breakdown/pages', query: { range: '7d', ...filters, 'filters[goal][not]': [id] } },
      { path: 'breakdown/countries', query: { range: '7d', ...filters, metrics: 'conversions', goal: id } },
    ]),
  ]);
  const reached = (await site.ask({ path: 'goals', query: { range: 'today' } })) as {
    goals: { conversions: number }[];
  };
  assert.deepEqual(
    reached.goals.map(({ conversions }) => conversions),
    [5, 2, 2, 2, 1, 1],
  );
  await site.agree('open', questions);
  await app.seal();
  await site.agree('sealed', questions);
});
