import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { invalid, missing, refusal } from './refusal.ts';
import { reportsOf, withQuery } from './stage.ts';

const BREAKDOWNS =
  'pages entry_pages exit_pages referrers utm_source utm_medium utm_campaign countries devices browsers operating_systems events'.split(
    ' ',
  );

/** What is refused of a parameter that every report takes. */
const RANGES = [
  '',
  'tomorrow',
  '7D',
  '%207d',
  '8d',
  'constructor',
  '2026-03-10',
  '2026-03-10~',
  '~2026-03-10',
  '~',
  '2026-03-10~2026-03-09',
  '2024-03-10~2026-03-10',
  '2024-03-10~2030-01-01',
  '2026-02-29~2026-03-01',
  '2026-02-01~2026-02-30',
  '2026-13-01~2026-13-02',
  '2026-3-1~2026-3-2',
  '2026-03-01~2026-03-02~2026-03-03',
  '2026-03-01~2026-03-02%0A',
  '2026-03-01T00:00:00Z~2026-03-02T00:00:00Z',
];
const FILTERS: Record<string, string[]> = {
  page: ['', 'a', 'https://example.com/a', '%20/a'],
  entry: ['', 'a', 'https://example.com/a'],
  event: [''],
  goal: ['', '0', '-1', '1.5', 'abc', '1e0', '0x1', '%201', '1%20', '1,2'],
  pageviews: ['', '-1', '1.5', 'one', '1000001', '%201', '1e0'],
  source: ['https://x.org', 'x.org/', 'x.org:443', 'x%20org', '%20', 'x.org%09', '%C2%A0x.org'],
  // Upper or lower case by Unicode's rules turns some of these into two plain letters.
  region: ['DE', 'DE-', 'D-BE', 'DE-ABCD', 'DE_BE', 'DE-B%C3%9F', 'DE-BE%0A'],
  country: ['D', 'DEU', '12', 'D1', '%C3%9F', '%C5%BFa', '%E2%84%AAe', 'd%0A', 'D%20'],
  device: ['desktop', 'TV', 'Desktop%20', 'constructor', '%20'],
};
/** Whole parameters, with the field that is named. */
const PARAMETERS: [query: string, field: string][] = [
  ['foo=1', 'foo'],
  ['foo', 'foo'],
  ['__proto__=1', '__proto__'],
  ['Range=7d', 'Range'],
  ['page=/a', 'page'],
  ['filters=1', 'filters'],
  ['filters[]=1', 'filters[]'],
  ['filters[nothing]=1', 'filters[nothing]'],
  ['filters[Page]=/a', 'filters[Page]'],
  ['filters[__proto__]=1', 'filters[__proto__]'],
  ['filters[page][]=/a', 'filters[page][]'],
  ['filter[page]=/a', 'filter[page]'],
  ['range=7d&range=7d', 'range'],
  ['filters[os]=a&filters[os]=b', 'filters[os]'],
  ['filters%5Bos%5D=a&filters[os]=a', 'filters[os]'],
  ['filters[os]=%FF', 'filters[os]'],
  ['filters[browser]=%', 'filters[browser]'],
];
const LIMITS = ['', '0', '101', '-1', '1.5', 'ten', '1e1', '0x10', '%2010', '10%20', '99999999999999999999'];

test('every report refuses a range that is none, and names it', async (t) => {
  const { app, every } = await reportsOf(t);
  for (const report of every) {
    for (const range of RANGES) {
      const path = withQuery(report, `range=${range}`);
      assert.deepEqual(await refusal(app, path), invalid(path, 'range'));
    }
  }
});

test('every report refuses a filter whose value cannot be meant, and names it', async (t) => {
  const { app, every } = await reportsOf(t);
  for (const report of every) {
    for (const [name, values] of Object.entries(FILTERS)) {
      for (const value of values) {
        const path = withQuery(report, `filters[${name}]=${value}`);
        assert.deepEqual(await refusal(app, path), invalid(path, `filters[${name}]`));
      }
    }
  }
});

test('every report refuses parameters that it does not know, that come twice, or that cannot be read', async (t) => {
  const { app, every } = await reportsOf(t);
  for (const report of every) {
    for (const [query, field] of PARAMETERS) {
      const path = withQuery(report, query);
      assert.deepEqual(await refusal(app, path), invalid(path, field));
    }
  }
});

test('a parameter of one report is unknown to the others', async (t) => {
  const { app, filtered } = await reportsOf(t);
  const known: Record<string, RegExp> = {
    limit: /^breakdown|^bots|^vitals|^journeys/,
    from: /^journeys/,
    direction: /^journeys/,
    steps: /^journeys/,
    by: /^vitals/,
    event: /^breakdown\/event_labels/,
    crawler: /^bots/,
    metrics: /^breakdown|^overview/,
    goal: /^breakdown/,
    sort: /^breakdown/,
    search: /^breakdown/,
    offset: /^breakdown/,
  };
  for (const [name, where] of Object.entries(known)) {
    for (const report of [...filtered, ...BREAKDOWNS.map((one) => `breakdown/${one}`), 'bots']) {
      if (where.test(report)) continue;
      const path = withQuery(report, `${name}=1`);
      assert.deepEqual(await refusal(app, path), invalid(path, name));
    }
  }
});

test('a limit is a whole number from 1 to 100', async (t) => {
  const app = await startApp(t);
  for (const report of ['breakdown/pages', 'breakdown/event_labels?event=e', 'bots', 'vitals']) {
    for (const limit of LIMITS) {
      const path = withQuery(report, `limit=${limit}`);
      assert.deepEqual(await refusal(app, path), invalid(path, 'limit'));
    }
    for (const limit of ['1', '100']) {
      const { status } = await app.owner.ask(
        'GET',
        `/sites/${app.siteId}/stats/${withQuery(report, `limit=${limit}`)}`,
      );
      assert.equal(status, 200);
    }
  }
});

test('labels are those of an event, which must be named', async (t) => {
  const app = await startApp(t);
  for (const path of ['breakdown/event_labels', 'breakdown/event_labels?event=', 'breakdown/event_labels?limit=5']) {
    assert.deepEqual(await refusal(app, path), invalid(path, 'event'));
  }
});

test('a breakdown and a crawler must be among those there are', async (t) => {
  const app = await startApp(t);
  for (const name of ['nothing', 'Pages', 'page', 'constructor', '__proto__', 'toString', '%FF', '%20pages']) {
    const path = `breakdown/${name}`;
    assert.deepEqual(await refusal(app, path), invalid(path, 'breakdown'));
  }
  for (const name of ['nobot', '', 'constructor', '__proto__']) {
    const path = `bots?crawler=${name}`;
    assert.deepEqual(await refusal(app, path), invalid(path, 'crawler'));
  }
});

test('what is wrong is named all at once', async (t) => {
  const app = await startApp(t);
  const { fields } = await refusal(app, 'breakdown/pages?range=x&limit=0&filters[page]=&filters[device]=TV&foo=1');
  assert.deepEqual(fields.sort(), ['filters[device]', 'filters[page]', 'foo', 'limit', 'range']);
});

test('goals, funnels and sites that are not there, and those of strangers, cannot be told apart', async (t) => {
  const { app, filtered, every } = await reportsOf(t);
  const { stranger, strangerSiteId } = app;
  const make = async (noun: string, body: unknown): Promise<number> =>
    (await stranger.ask('POST', `/sites/${strangerSiteId}/${noun}`, body)).body.data.id;
  const goal = { type: 'page', value: '/a' };
  const ofStranger = {
    goal: await make('goals', goal),
    funnel: await make('funnels', { name: 'f', steps: [goal, goal] }),
  };
  for (const id of [ofStranger.goal, 999]) {
    for (const report of filtered) {
      for (const name of ['filters[goal]', 'filters[goal][is]', 'filters[goal][not]']) {
        const path = withQuery(report, `${name}=${id}`);
        assert.deepEqual(await refusal(app, path), missing(path));
      }
    }
  }
  for (const id of [ofStranger.funnel, 999, 0, 'first', '1.5']) {
    const path = `funnels/${id}`;
    assert.deepEqual(await refusal(app, path), missing(path));
  }
  for (const site of [strangerSiteId, 'stranger.example', 999, 'nowhere.example']) {
    for (const report of [...every, 'breakdown/nothing', 'funnels/1', 'overview?range=nothing']) {
      assert.deepEqual(await refusal(app, report, site), missing(report));
    }
  }
});

test('crawlers of a site that does not track them are refused with a code of their own', async (t) => {
  const app = await startApp(t);
  const { status } = await app.owner.ask('PATCH', `/sites/${app.siteId}`, { track_crawlers: false });
  assert.equal(status, 200);
  assert.deepEqual(await refusal(app, 'bots'), { path: 'bots', status: 422, code: 'crawler_tracking_off', fields: [] });
});
