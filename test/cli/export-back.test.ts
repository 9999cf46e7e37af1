import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MOST_NAMES_OF_DAY, MOST_VALUES_OF_DAY, writeProperties } from '../../src/stats/properties.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { type App, openSite } from '../stats/stage.ts';
import { folder, startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';
import { moment } from './importing.ts';

const DAY = TODAY - 3;

/** Stores hits of a site, and imports its export into another one. Gives what each answers. */
async function moved(
  t: Parameters<typeof startApp>[0],
  hits: readonly Hit[],
  path: string,
  {
    zone = 'UTC',
    format = 'ndjson',
    ...query
  }: { zone?: string; format?: string; metrics?: string; currency?: string } = {},
) {
  const app: App = await startApp(t);
  const [from, to] = [await openSite(app), await openSite(app, { zones: [{ from: Number.NEGATIVE_INFINITY, zone }] })];
  await app.owner.ask('PATCH', `/sites/${to.known.siteId}`, { places: true });
  await from.store(hits);
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', from.known.domain, '--format', 'ndjson', '--out', out);
  await hereOn(app, 'import', to.known.domain, out, '--format', 'ndjson');
  return Promise.all([from, to].map((site) => site.ask({ path, query: { range: '30d', ...query } })));
}

/** One more than a day may have. */
const LANGUAGES = Array.from({ length: 2_001 }, (_, i) =>
  [i / 676, (i / 26) % 26, i % 26].map((n) => String.fromCharCode(97 + n)).join(''),
);

test('an export with more languages than a day may have can be imported', async (t) => {
  const hits = LANGUAGES.map((language, visitor) => pageview({ day: DAY, second: visitor, visitor, language }));
  const [before, after] = await moved(t, hits, 'breakdown/languages');
  assert.deepEqual(after, before);
});

test('an export of texts beyond the limits of a day, and of hits without a host name, comes back', async (t) => {
  const texts = { page: '(other)', hostname: '(other)', region: '(other)', city: '(other)', country: 'DE' };
  const hits = [
    pageview({ day: DAY, second: 10, ...texts }),
    pageview({ day: DAY, second: 20, visitor: 2, page: '/a', hostname: '' }),
    pageview({ day: DAY, second: 30, visitor: 3, page: '/a', hostname: 'blog.x.org', region: 'DE-BE' }),
  ];
  for (const name of ['pages', 'hostnames', 'regions', 'cities']) {
    const [before, after] = await moved(t, hits, `breakdown/${name}`);
    assert.deepEqual(after?.rows, before?.rows, name);
    assert.ok(
      before?.rows.some(({ value }: { value: string }) => value === '(other)'),
      name,
    );
  }
});

test('an import keeps as many names and values of properties in a day as live hits may have', async (t) => {
  const app: App = await startApp(t);
  const [live, imported] = [await openSite(app), await openSite(app)];
  const lists = [
    ...Array.from({ length: MOST_NAMES_OF_DAY + 2 }, (_, i): [string, string][] => [
      ['n0', 'a'],
      [`n${i}`, 'x'],
    ]),
    ...Array.from({ length: MOST_VALUES_OF_DAY + 2 }, (_, i): [string, string][] => [['n1', `${i}`]]),
  ];
  const hits = lists.map((list, second) =>
    pageview({ day: DAY, second, visitor: second, properties: writeProperties(list) }),
  );
  await live.store(hits);
  const file = join(folder(t), 'hits.ndjson');
  const lines = hits.map(({ day, second, visitor, properties }) =>
    JSON.stringify({
      ...{ at: moment(day, second), url: 'https://example.com/', visitor: `${visitor}` },
      props: JSON.parse(properties),
    }),
  );
  writeFileSync(file, lines.join('\n'));
  const { printed } = await hereOn(app, 'import', imported.known.domain, file, '--format', 'ndjson');
  const said =
    'skipped: properties of 5 hits above the limit for a day: 100 names, and 2000 values of each name. They count as (other)';
  assert.ok(printed.includes(said), printed.join('\n'));
  for (const query of [{}, { property: 'n0' }, { property: 'n1' }, { property: '(other)' }]) {
    const path = `breakdown/${'property' in query ? 'property_values' : 'properties'}`;
    const [before, after] = await Promise.all(
      [live, imported].map((site) => site.ask({ path, query: { range: '30d', limit: '100', ...query } })),
    );
    assert.deepEqual(after, before);
  }
});

test('an export of a page that was visible for more than 99,999 seconds can be imported', async (t) => {
  const hits = [
    pageview({ day: DAY, second: 10 }),
    ...Array.from({ length: 5 }, (_, i) => pageview({ day: DAY, second: 20 + i, engaged: 50_000 })),
  ];
  const [before, after] = await moved(t, hits, 'breakdown/pages');
  assert.deepEqual(after, before);
});

test('revenue comes back with an export, and an amount beyond the limit of a day does not', async (t) => {
  const hits = ['EUR 1999', 'EUR 0', 'JPY 150', '(other)', ''].map((revenue, visitor) =>
    pageview({ day: DAY, second: visitor, visitor, revenue, event: 'order' }),
  );
  const query = { metrics: 'revenue,time_on_page', currency: 'EUR' };
  const [before, after] = await moved(t, hits, 'overview', query);
  const { notices: [others, ...left] = [], notice_codes: codes, ...same } = before;
  assert.deepEqual([same.revenue, left.length], ['19.99', 1]);
  assert.deepEqual(after, { ...same, notices: [others], notice_codes: codes.slice(0, 1) });
});

test('an import gives a site without a currency the one of its first revenue', async (t) => {
  const app: App = await startApp(t);
  const [from, to] = [await openSite(app), await openSite(app)];
  await from.store(['', 'JPY 150', 'EUR 5'].map((revenue, second) => pageview({ day: DAY, second, revenue })));
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', from.known.domain, '--format', 'ndjson', '--out', out);
  await hereOn(app, 'import', to.known.domain, out);
  const { body } = await app.owner.ask('GET', `/sites/${to.known.siteId}`);
  assert.equal(body.data.currency, 'JPY');
});

test('how much of pages was seen comes back with an export', async (t) => {
  const hits = [
    pageview({ day: DAY, second: 10, page: '/a' }),
    pageview({ day: DAY, second: 20, page: '/a', engaged: 0, scroll: 40 }),
    pageview({ day: DAY, second: 30, page: '/a', event: 'buy' }),
    pageview({ day: DAY, second: 40, page: '/a', engaged: 9, scroll: 90 }),
    pageview({ day: DAY, second: 50, page: '/b' }),
    pageview({ day: DAY, second: 50, page: '/b', visitor: 2 }),
    pageview({ day: DAY, second: 60, page: '/b', visitor: 2, engaged: 120_000, scroll: 0 }),
  ];
  const [before, after] = await moved(t, hits, 'breakdown/pages', { metrics: 'scroll_depth,time_on_page' });
  assert.deepEqual(after?.rows, before?.rows);
  assert.deepEqual(
    before?.rows.map(({ value, scroll_depth }: Record<string, unknown>) => [value, scroll_depth]),
    [
      ['/b', 0],
      ['/a', 90],
    ],
  );
});

test('visitors of two days stay two visitors where an export is imported in another time zone', async (t) => {
  const hits = [
    pageview({ day: DAY, second: 86_390, visitor: 7 }),
    pageview({ day: DAY + 1, second: 5, visitor: 8, source: 'x.org' }),
  ];
  const [before, after] = await moved(t, hits, 'breakdown/referrers', { zone: 'Asia/Tokyo' });
  assert.deepEqual(after?.rows, before?.rows);
  assert.equal(after?.rows.length, 2);
});
