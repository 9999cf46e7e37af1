import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hereOn } from '../cli/here.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { folder, startApp } from '../support/helpers.ts';
import { report } from './products/google.ts';
import { writeZip } from './reading/zips.ts';

const googleDay = (day: number): string => date(day).replaceAll('-', '');

/** An answer as other programs ask Google for it: without engaged sessions and their duration. */
const bare = (...days: number[]) =>
  report(
    ['date'],
    ['totalUsers', 'screenPageViews', 'bounces', 'sessions'],
    days.map((day) => [googleDay(day), 10, 30, 4, 12]),
  );

const whole = (...days: number[]) =>
  report(
    ['date'],
    ['totalUsers', 'screenPageViews', 'sessions', 'engagedSessions', 'averageSessionDuration'],
    days.map((day) => [googleDay(day), 10, 30, 12, 8, 50]),
  );

const countries = (...days: number[]) =>
  report(
    ['date', 'countryId'],
    ['totalUsers'],
    days.map((day) => [googleDay(day), 'DE', 10]),
  );

async function started(t: TestContext) {
  const app = await startApp(t);
  const goals = [
    { type: 'page', value: '/a' },
    { type: 'event', value: 'buy' },
  ] as const;
  const site = await openSite(app, { goals });
  const file = join(folder(t), 'sums');
  const { domain, siteId } = site.known;
  async function bring(...reports: object[]): Promise<string[]> {
    rmSync(file, { force: true });
    writeFileSync(file, reports.map((one) => JSON.stringify(one)).join('\n'));
    return (await hereOn(app, 'import', domain, file, '--format', 'ga4')).printed;
  }
  const ask = (path: string, range: string, more: Record<string, string> = {}) =>
    site.ask({ path, query: { range, ...more } });
  return { app, ask, bring, domain, siteId, store: site.store };
}

const span = (from: number, to = from): string => `${date(TODAY + from)}~${date(TODAY + to)}`;
const said = (what: string, ...days: string[]): string => what.replace('{days}', days.join(', '));
const days = (from: number, to: number): string => `${date(TODAY + from)} to ${date(TODAY + to)}`;

test('what a GA4 file did not have is not known: null with a notice, and never 0', async (t) => {
  const { ask, bring, store } = await started(t);
  assert.deepEqual(await bring(bare(TODAY - 3, TODAY - 2, TODAY - 1)), [
    'daily totals of 3 days imported (import 1)',
    `accepted: 30 visitors, 36 visits, 90 pageviews, 0 events, ${date(TODAY - 3)} to ${date(TODAY - 1)}`,
    'accepted: 3 rows of date, totalUsers, screenPageViews, bounces, sessions',
    'not in the file, so not known: bounce rate, visit duration, pages, events, event labels, properties, property values, entry pages, exit pages, hostnames, sources, channels, utm source, utm medium, utm campaign, utm term, utm content, countries, regions, cities, devices, browsers, browser versions, operating systems, os versions, screens, languages',
    'skipped: 1 column that is not imported: bounces',
    'skipped: other dimensions and metrics of Google Analytics, which daybook does not store with daily totals',
  ]);
  await store([pageview({ page: '/a' }), pageview({ page: '/b', visitor: 2 })]);

  const bounces = said('The bounce rate is unknown for {days}, because the import did not contain it.', days(-3, -1));
  const seconds = said(
    'The visit duration is unknown for {days}, because the import did not contain it.',
    days(-3, -1),
  );
  const overview = await ask('overview', '7d');
  assert.deepEqual(
    [overview.visitors, overview.visits, overview.pageviews, overview.bounce_rate, overview.visit_duration],
    [32, 38, 92, null, null],
  );
  assert.deepEqual(overview.notices, [bounces, seconds]);
  assert.deepEqual([overview.previous.bounce_rate, overview.change.bounce_rate], [0, null]);

  const today = await ask('overview', span(0), { compare: span(-1) });
  assert.deepEqual([today.bounce_rate, today.previous.bounce_rate, today.change.bounce_rate], [100, null, null]);
  assert.equal(today.change.visitors, -80);
  assert.equal((await ask('overview', span(0), { compare: 'none' })).bounce_rate, 100);
  const until = await ask('overview', span(0), { compare: span(-1), compare_until: 'now' });
  assert.deepEqual([until.previous.visitors, until.previous.bounce_rate], [10, null]);

  const series = await ask('timeseries', span(-1, 0), { metrics: 'bounce_rate,visit_duration', interval: 'day' });
  const [yesterday, now] = series.points;
  assert.deepEqual([yesterday.visitors, yesterday.bounce_rate, yesterday.visit_duration], [10, null, null]);
  assert.deepEqual([now.visitors, now.bounce_rate, now.visit_duration], [2, 100, 0]);
  assert.equal(series.notices.length, 2);
  assert.equal((await ask('timeseries', span(-1, 0))).notices, undefined);
});

test('events are not known on days of a GA4 file before and after those of its table of events', async (t) => {
  const { ask, bring } = await started(t);
  const events = report(
    ['date', 'eventName'],
    ['totalUsers', 'eventCount'],
    [
      [googleDay(TODAY - 4), 'page_view', 10, 30],
      [googleDay(TODAY - 2), 'buy', 5, 6],
    ],
  );
  const lines = await bring(bare(TODAY - 5, TODAY - 4, TODAY - 3, TODAY - 2, TODAY - 1), events);
  assert.ok(lines.includes('not in the file of some days: events (2 days)'), lines.join('\n'));
  const [, buy] = (await ask('goals', span(-5, -1))).goals;
  assert.deepEqual([buy.visitors, buy.conversions, buy.conversion_rate], [5, 6, 16.67]);
  const { notices } = await ask('breakdown/events', span(-5, -1));
  const unknown = [date(TODAY - 5), date(TODAY - 1)];
  assert.deepEqual(notices, [
    said('This report does not include {days}, because the import did not contain this data.', ...unknown),
  ]);
  assert.equal((await ask('breakdown/events', span(-4, -2))).notices, undefined);
});

test('tables that a GA4 file did not have, and goals in them, are not known, and of other days they are answered', async (t) => {
  const { ask, bring, store } = await started(t);
  await bring(bare(TODAY - 3, TODAY - 2, TODAY - 1));
  await store([pageview({ page: '/a' }), pageview({ page: '/b', visitor: 2 })]);
  const rows = said('This report does not include {days}, because the import did not contain this data.', days(-3, -1));

  for (const name of ['pages', 'referrers', 'countries', 'operating_systems', 'events', 'exit_pages']) {
    const imported = await ask(`breakdown/${name}`, span(-3, -1));
    assert.deepEqual([imported.rows, imported.notices], [[], [rows]], name);
  }
  const pages = await ask('breakdown/pages', '7d');
  assert.deepEqual(
    [pages.rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]), pages.notices],
    [
      [
        ['/a', 1],
        ['/b', 1],
      ],
      [rows],
    ],
  );
  const labels = await ask('breakdown/event_labels', '7d', { event: 'buy' });
  assert.deepEqual(labels.notices, [rows]);

  const { goals, notices } = await ask('goals', '7d');
  const figures = (goal: Record<string, unknown>) => [goal.visitors, goal.conversions, goal.conversion_rate];
  assert.deepEqual(goals.map(figures), [
    [1, 1, 50],
    [0, 0, 0],
  ]);
  assert.deepEqual(notices, [
    said('Conversions of page goals are unknown for {days}, because the import did not contain pages.', days(-3, -1)),
    said('Conversions of event goals are unknown for {days}, because the import did not contain events.', days(-3, -1)),
  ]);
  const imported = await ask('goals', span(-3, -1));
  assert.deepEqual(imported.goals.map(figures), [
    [null, null, null],
    [null, null, null],
  ]);

  // Days that a filter leaves out are named once, with their own reason.
  const filtered = await ask('overview', '7d', { 'filters[page]': '/a' });
  assert.deepEqual([filtered.bounce_rate, filtered.notices.length], [100, 1]);
  assert.match(filtered.notices[0], /only daily totals are stored/);
});

test('a goal is not known where all days are left out, as those with totals are of a pattern of pages', async (t) => {
  const { app, ask, bring, domain, store } = await started(t);
  await app.owner.ask('POST', `/sites/${domain}/goals`, { type: 'page', value: '/a*' });
  await bring(whole(TODAY - 2, TODAY - 1));
  await store([pageview({ page: '/a' }), pageview({ page: '/b', visitor: 2 })]);
  const figures = async (range: string) => {
    const { goals, notices } = await ask('goals', range);
    assert.match(notices[0], /^This report does not include .*, because only daily totals are stored/);
    return goals.map(({ visitors, conversions, conversion_rate }: Record<string, unknown>) => [
      visitors,
      conversions,
      conversion_rate,
    ]);
  };
  assert.deepEqual((await figures(span(-2, -1)))[2], [null, null, null]);
  assert.deepEqual((await figures(span(-2, 0)))[2], [1, 1, 50]);
});

test('what is counted without some days is not said to have changed', async (t) => {
  const { app, ask, bring, siteId, store } = await started(t);
  await bring(whole(TODAY - 2, TODAY - 1));
  await store([pageview({ page: '/a' }), pageview({ page: '/b', visitor: 2 })]);
  const filtered = { 'filters[page]': '/a' };
  const gone = await ask('overview', span(-1), { ...filtered, compare: span(0) });
  assert.deepEqual([gone.previous.visitors, gone.change.visitors, gone.change.bounce_rate], [1, null, null]);
  const whole2 = await ask('overview', span(-1), { compare: span(0) });
  assert.equal(whole2.change.visitors, 400);
  const path = `/stats/overview?sites=${siteId}&range=${span(-1)}&compare=${span(0)}`;
  const ofSites = async (more: string) => (await app.owner.ask('GET', `${path}${more}`)).body.data;
  assert.equal((await ofSites('&filters[country]=XX')).change.visitors, null);
  assert.equal((await ofSites('')).change.visitors, 400);
});

test('of days of which a file has only some sums, those that it has are answered', async (t) => {
  const { ask, bring } = await started(t);
  const sheet = await bring(bare(TODAY - 3), whole(TODAY - 2, TODAY - 1), countries(TODAY - 3, TODAY - 2));
  assert.ok(
    sheet.includes('not in the file of some days: bounce rate (1 day), visit duration (1 day), countries (1 day)'),
  );
  const known = await ask('overview', span(-2, -1), { compare: 'none' });
  assert.deepEqual([known.bounce_rate, known.visit_duration, known.notices], [33.3, 50, undefined]);
  const mixed = await ask('overview', span(-3, -1), { compare: 'none' });
  assert.deepEqual([mixed.visits, mixed.bounce_rate], [36, null]);
  assert.deepEqual(
    mixed.notices?.[0],
    said('The bounce rate is unknown for {days}, because the import did not contain it.', date(TODAY - 3)),
  );
  const found = await ask('breakdown/countries', span(-3, -1));
  assert.deepEqual(found.rows, [{ value: 'DE', visitors: 20 }]);
  assert.deepEqual(found.notices, [
    said('This report does not include {days}, because the import did not contain this data.', date(TODAY - 1)),
  ]);
});

test('a day without one of the totals is left out and said, and a table without its counts too', async (t) => {
  const { ask, bring } = await started(t);
  const users = (...of: number[]) =>
    report(
      ['date'],
      ['totalUsers'],
      of.map((day) => [googleDay(day), 5]),
    );
  const pages = report(['date', 'pagePath'], ['totalUsers'], [[googleDay(TODAY - 1), '/a', 5]]);
  const sheet = await bring(whole(TODAY - 1), users(TODAY - 2), pages);
  assert.ok(sheet.includes('skipped: 1 days without Sessions'), sheet.join('\n'));
  assert.ok(sheet.includes('skipped: 1 rows of a table without Views: date, pagePath, totalUsers'), sheet.join('\n'));
  assert.equal((await ask('overview', '7d')).visitors, 10);
  assert.deepEqual((await ask('breakdown/pages', '7d')).notices, [
    said('This report does not include {days}, because the import did not contain this data.', date(TODAY - 1)),
  ]);
});

test('of several sites together a figure that is not known of one is not known, and the notice names the site', async (t) => {
  const { app, bring, domain, siteId, store } = await started(t);
  const other = app.site(app.owner, 'second.example');
  await appendTo(app.engine, [pageview({ siteId: other }), pageview({ siteId: other, visitor: 2 })]);
  await store([pageview({})]);
  await bring(bare(TODAY - 1));
  const ask = async (path: string) => (await app.owner.ask('GET', `/stats/${path}&sites=${siteId},${other}`)).body.data;
  const overview = await ask('overview?range=7d');
  assert.deepEqual([overview.visitors, overview.bounce_rate, overview.change.bounce_rate], [13, null, null]);
  assert.equal(
    overview.notices[0],
    `${domain}: ${said('The bounce rate is unknown for {days}, because the import did not contain it.', date(TODAY - 1))}`,
  );
  assert.deepEqual((await ask('breakdown/countries?range=7d')).notices, [
    `${domain}: ${said('This report does not include {days}, because the import did not contain this data.', date(TODAY - 1))}`,
  ]);
  assert.equal((await ask('overview?range=today&compare=none')).bounce_rate, 100);
});

test('a zip of Plausible without some tables says so, and one with an empty table of events has none', async (t) => {
  const { app, ask, domain } = await started(t);
  const zip = join(folder(t), 'sums.zip');
  const table = (name: string, ...lines: string[]) => ({
    name: `imported_${name}_20250101_20261231.csv`,
    text: lines.map((line) => `${line}\n`),
  });
  await writeZip(zip, [
    table('visitors', 'date,visitors,pageviews,bounces,visits,visit_duration', `${date(TODAY - 1)},10,30,4,12,600`),
    table('custom_events', 'date,name,link_url,path,visitors,events'),
  ]);
  await hereOn(app, 'import', domain, zip, '--format', 'plausible');
  assert.deepEqual((await ask('breakdown/pages', '7d')).notices, [
    said('This report does not include {days}, because the import did not contain this data.', date(TODAY - 1)),
  ]);
  const events = await ask('breakdown/events', '7d');
  assert.deepEqual([events.rows, events.notices], [[], undefined]);
  const overview = await ask('overview', '7d');
  assert.deepEqual([overview.bounce_rate, overview.visit_duration, overview.notices], [33.3, 50, undefined]);
});
