import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan } from '../../src/store/people/plans.ts';
import { addOutage } from '../../src/store/server/outages.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { withQuery } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;
type Person = App['owner'];

const BREAKDOWNS =
  'sites referrers utm_source utm_medium utm_campaign countries devices browsers operating_systems'.split(' ');
const REPORTS = ['overview', 'timeseries', 'realtime', ...BREAKDOWNS.map((name) => `breakdown/${name}`)];

/** So many visitors of today, who came just now. */
const visit = (app: App, siteId: number, count: number): Promise<void> =>
  appendTo(
    app.engine,
    Array.from({ length: count }, (_, visitor) => pageview({ siteId, visitor, second: 43_190 })),
  );

async function ask(person: Person, path: string) {
  return dataOf(await person.ask('GET', `/stats/${path}`), 'GET', `/stats/${path}`);
}

async function refusal(person: Person, path: string) {
  const { status, body, text } = await person.ask('GET', `/stats/${path}`);
  assert.ok(status >= 400, `${status} for ${path}: ${text}`);
  return [status, body.error.code, ...Object.keys(body.error.fields ?? {})];
}

/** Each site that somebody's answer has, and its visitors. */
async function sitesOf(person: Person, query = ''): Promise<[string, number][]> {
  const { rows } = await ask(person, `breakdown/sites?range=today${query}`);
  return rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]);
}

test('everybody is answered about the sites that they see, or about those of them that they name', async (t) => {
  const app = await startApp(t);
  const [second, empty] = [app.site(app.owner, 'second.example'), app.site(app.owner, 'empty.example')];
  await visit(app, app.siteId, 2);
  await visit(app, second, 3);
  await visit(app, app.strangerSiteId, 4);
  app.join(app.stranger, app.viewer, 'viewer');
  for (const person of [app.owner, app.manager]) {
    assert.deepEqual(await sitesOf(person), [
      ['second.example', 3],
      ['example.com', 2],
    ]);
  }
  assert.deepEqual(await sitesOf(app.viewer, '&limit=1'), [['stranger.example', 4]]);
  assert.equal((await ask(app.viewer, 'overview?range=today')).visitors, 9);
  assert.equal((await ask(app.viewer, 'realtime')).visitors, 9);
  assert.deepEqual(await sitesOf(app.viewer, `&sites=${app.siteId},${app.strangerSiteId},${empty}`), [
    ['stranger.example', 4],
    ['example.com', 2],
  ]);
  assert.deepEqual(await sitesOf(app.stranger), [['stranger.example', 4]]);
  for (const report of REPORTS) {
    const path = withQuery(report, `sites=${app.strangerSiteId},${app.siteId}`);
    assert.deepEqual(await refusal(app.stranger, path), [404, 'not_found']);
    assert.deepEqual(await refusal(app.stranger, withQuery(report, 'sites=999')), [404, 'not_found']);
  }
});

test('whoever sees no site is answered with nothing', async (t) => {
  const app = await startApp(t);
  const nobody = await app.person('nobody@example.com');
  const span = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T23:59:59Z', filters: {} };
  const none = { visitors: 0, pageviews: 0, visits: 0, bounce_rate: 0, visit_duration: 0 };
  const change = { visitors: null, pageviews: null, visits: null, bounce_rate: null, visit_duration: null };
  const previous = { from: '2026-03-09T00:00:00Z', to: '2026-03-09T23:59:59Z', ...none };
  assert.deepEqual(await ask(nobody, 'overview?range=today'), { ...span, ...none, previous, change });
  const points = [{ date: '2026-03-10', visitors: 0, pageviews: 0 }];
  assert.deepEqual(await ask(nobody, 'timeseries?range=today'), { ...span, interval: 'day', points });
  for (const breakdown of BREAKDOWNS) {
    assert.deepEqual(await ask(nobody, `breakdown/${breakdown}?range=today`), { ...span, breakdown, rows: [] });
  }
  assert.equal((await ask(nobody, 'realtime')).visitors, 0);
});

test('a blocked account of others takes its sites out, and says so; its sites cannot be named', async (t) => {
  const app = await startApp(t);
  await visit(app, app.siteId, 2);
  await visit(app, app.strangerSiteId, 3);
  app.join(app.stranger, app.owner, 'manager');
  changePlan(app.db, app.stranger.id, null);
  for (const report of REPORTS) {
    const { notices } = await ask(app.owner, report);
    assert.deepEqual(notices, [
      'stranger.example: This site is not included, because the account that owns it is blocked.',
    ]);
    const named = withQuery(report, `sites=${app.strangerSiteId}`);
    assert.deepEqual(await refusal(app.owner, named), [402, 'account_blocked']);
  }
  assert.deepEqual(await sitesOf(app.owner), [['example.com', 2]]);
  const plan = findPlan(app.db, 'self-hosted');
  changePlan(app.db, app.stranger.id, plan?.id ?? null);
  assert.equal((await ask(app.owner, 'overview?range=today')).visitors, 5);
});

test('what only one site can be asked is refused of several, and named', async (t) => {
  const app = await startApp(t);

  const fields: [query: string, field: string][] = [
    ['filters[page]=/a', 'filters[page]'],
    ['filters[page][is]=/a', 'filters[page][is]'],
    ['filters[entry]=/a', 'filters[entry]'],
    ['filters[exit][like]=*', 'filters[exit][like]'],
    ['filters[event]=e', 'filters[event]'],
    ['filters[goal]=1', 'filters[goal]'],
    ['filters[goal][not]=1', 'filters[goal][not]'],

    ['metrics=visits', 'metrics'],
    ['sort=visits', 'sort'],
    ['search=a', 'search'],
    ['event=e', 'event'],
    ['range=1d', 'range'],
    ['sites=', 'sites'],
    ['sites=0', 'sites'],
    ['sites=example.com', 'sites'],
    ['sites=1,', 'sites'],
    ['sites=1&sites=2', 'sites'],
    [`sites=${Array.from({ length: 101 }, (_, i) => i + 1)}`, 'sites'],
  ];
  for (const report of REPORTS) {
    for (const [query, field] of fields) {
      assert.deepEqual(await refusal(app.owner, withQuery(report, query)), [422, 'invalid_request', field], query);
    }
  }
  for (const report of ['overview', 'timeseries', 'realtime']) {
    for (const field of ['limit', 'offset']) {
      assert.deepEqual(await refusal(app.owner, `${report}?${field}=1`), [422, 'invalid_request', field]);
    }
  }
  for (const name of ['pages', 'entry_pages', 'events', 'event_labels', 'site', '__proto__']) {
    assert.deepEqual(await refusal(app.owner, `breakdown/${name}`), [422, 'invalid_request', 'breakdown']);
  }
});

test('what is missing of one of the sites is missing of all, on the days of that site', async (t) => {
  const app = await startApp(t);
  const { db, engine } = app;
  const added = await app.owner.ask('POST', '/sites', { domain: 'tokyo.example', time_zone: 'Asia/Tokyo' });
  const tokyo: number = added.body.data.id;
  const of = (siteId: number, day: number) => pageview({ siteId, day, second: 100 });
  await appendTo(engine, [of(app.siteId, TODAY), of(app.siteId, TODAY - 1), of(tokyo, TODAY), of(tokyo, TODAY - 1)]);
  // Eight o'clock in the evening of the day before in UTC is of today in Tokyo.
  addOutage(db, { from: TODAY * 86_400 - 4 * 3_600, to: TODAY * 86_400 - 3 * 3_600, reason: 'down' });
  const completeOf = async (query: string, sites: number[]) => {
    const { complete, previous } = await ask(app.owner, `overview?${query}&sites=${sites}`);
    return [complete, previous?.complete];
  };
  assert.deepEqual(await completeOf('range=today', [app.siteId]), [undefined, false]);
  assert.deepEqual(await completeOf('range=today', [tokyo]), [false, undefined]);
  assert.deepEqual(await completeOf('range=today', [app.siteId, tokyo]), [false, false]);
  assert.deepEqual(await completeOf('range=today&compare=none', [app.siteId]), [undefined, undefined]);
  const missedOf = async (sites: number[]) => {
    const { points } = await ask(app.owner, `timeseries?range=7d&sites=${sites}`);
    const missed = points.filter(({ complete }: { complete?: boolean }) => complete === false);
    return missed.map(({ date }: { date: string }) => date);
  };
  assert.deepEqual(await missedOf([app.siteId]), ['2026-03-09']);
  assert.deepEqual(await missedOf([tokyo]), ['2026-03-10']);
  assert.deepEqual(await missedOf([app.siteId, tokyo]), ['2026-03-09', '2026-03-10']);
});

test('a hundred sites are asked at once, and of more some must be named', async (t) => {
  const app = await startApp(t);
  const ids = [app.siteId];
  while (ids.length < 100) ids.push(app.site(app.owner, `site${ids.length}.example`));
  await visit(app, ids.at(-1) ?? 0, 1);
  assert.equal((await ask(app.owner, 'overview?range=today')).visitors, 1);
  app.site(app.owner, 'last.example');
  assert.deepEqual(await refusal(app.owner, 'overview?range=today'), [422, 'invalid_request', 'sites']);
  assert.equal((await ask(app.owner, `overview?range=today&sites=${ids.join()}`)).visitors, 1);
});

test('each site is asked about its own day', async (t) => {
  const app = await startApp(t);
  const west = app.site(app.owner, 'west.example');
  app.db.run("UPDATE site SET time_zone = 'Pacific/Kiritimati' WHERE id = ?", app.siteId);
  app.db.run("UPDATE site SET time_zone = 'Pacific/Honolulu' WHERE id = ?", west);
  const { from, to, points } = await ask(app.owner, 'timeseries?range=today');
  assert.deepEqual([from, to], ['2026-03-10T10:00:00Z', '2026-03-11T09:59:59Z']);
  assert.deepEqual(
    points.map(({ date }: { date: string }) => date),
    ['2026-03-10', '2026-03-11'],
  );
});

test('a month is the same month for all sites, while it has begun for some of them only', async (t) => {
  const app = await startApp(t);
  const { clock, engine, siteId } = app;
  const added = await app.owner.ask('POST', '/sites', { domain: 'tokyo.example', time_zone: 'Asia/Tokyo' });
  const tokyo: number = added.body.data.id;
  const on = (siteId: number, date: string, count: number) =>
    appendTo(
      engine,
      Array.from({ length: count }, (_, visitor) =>
        pageview({ siteId, day: Date.parse(date) / 86_400_000, second: 100, visitor }),
      ),
    );
  for (const [date, own, theirs] of [
    ['2025-02-15', 1, 2],
    ['2026-02-15', 10, 20],
    ['2026-03-15', 100, 200],
  ] as const) {
    await on(siteId, date, own);
    await on(tokyo, date, theirs);
  }
  // Five o'clock in the morning of 1 April in Tokyo is still 31 March in UTC.
  clock.jump((Date.parse('2026-03-31T20:00:00Z') - clock.now()) / 1000);
  const visitorsOf = async (query: string) => (await ask(app.owner, `overview?${query}`)).visitors;
  assert.equal(await visitorsOf('range=last-month'), 300);
  assert.equal(await visitorsOf('range=month'), 0);
  assert.equal(await visitorsOf('range=year'), 330);
  assert.equal(await visitorsOf('range=last-year'), 3);
  const { points } = await ask(app.owner, 'timeseries?range=last-month&interval=month');
  assert.deepEqual(points, [{ date: '2026-03', visitors: 300, pageviews: 300 }]);
  // A site that is asked alone has the month of its own calendar.
  assert.equal(await visitorsOf(`range=last-month&sites=${siteId}`), 10);
  assert.equal(await visitorsOf(`range=last-month&sites=${tokyo}`), 200);
  // Days are those of each site.
  const { from, to } = await ask(app.owner, 'timeseries?range=today');
  assert.deepEqual([from, to], ['2026-03-31T00:00:00Z', '2026-04-01T14:59:59Z']);
});

test('until now means the time of each site, also where the last day of the range has not begun', async (t) => {
  const app = await startApp(t);
  const { clock, engine, siteId } = app;
  const added = await app.owner.ask('POST', '/sites', { domain: 'tokyo.example', time_zone: 'Asia/Tokyo' });
  const tokyo: number = added.body.data.id;
  // Five o'clock in the morning of 3 March in Tokyo is still 2 March in UTC.
  clock.jump((Date.parse('2026-03-02T20:00:00Z') - clock.now()) / 1000);
  const now = clock.now() / 1000;
  for (const [id, ahead] of [[siteId, 0] as const, [tokyo, 9] as const]) {
    const days = Array.from({ length: 30 }, (_, i) => Date.parse('2026-02-05') / 86_400_000 + i);
    // Each day has two visitors, at two and at ten in the evening by the clocks of the site.
    const hits = days.flatMap((day) =>
      [2, 22].map((hour) => pageview({ siteId: id, day, visitor: hour, second: (hour - ahead) * 3_600 })),
    );
    await appendTo(
      engine,
      hits.filter(({ day, second }) => day * 86_400 + second <= now),
    );
  }
  const compared = async (query: string) => {
    const { visitors, previous, change } = await ask(app.owner, `overview?compare_until=now&${query}`);
    return [visitors, previous.visitors, change.visitors, previous.to];
  };
  assert.deepEqual(await compared('range=month'), [8, 8, 0, '2026-02-27T20:00:00Z']);
  assert.deepEqual(await compared('range=month&compare=2026-02-10~2026-02-12'), [8, 8, 0, '2026-02-11T20:00:00Z']);
  // A browser may be in the zone that is ahead of all sites.
  const days = 'range=2026-03-01~2026-03-03';
  assert.deepEqual(await compared(`${days}&sites=${siteId}`), [3, 3, 0, '2026-02-27T20:00:00Z']);
  assert.deepEqual((await compared('range=2026-03-03~2026-03-03')).slice(0, 3), [1, 1, 0]);
  // Days that have begun nowhere are compared whole.
  assert.deepEqual((await compared('range=2026-03-01~2026-03-31')).slice(0, 2), [8, 96]);
});
