import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dice, dice } from '../../src/demo/dice.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { date } from './days.ts';
import { naive } from './naive.ts';
import { shapes } from './shapes.ts';
import { type App, openSite, searchOf } from './stage.ts';
import type { Query } from './visits.ts';

const COUNTRIES = ['DE', 'FR', 'ES', ''];
const SOURCES = ['', 'google.com', 'x.org', 'reddit.com'];
const DEVICES = ['Mobile', 'Desktop'];
const HOSTS = ['example.com', 'shop.example.com'];
const PROPERTIES = ['', '{"plan":"pro"}', '{"plan":"free","seats":"5"}', '{"seats":"9"}'];
const pick = <One>({ between }: Dice, list: readonly One[]): One => list[between(0, list.length - 1)] as One;

/** Visitors of a day, some with a second visit that has another source. `planted` of them are mobile visitors from DE. */
function makeDay(thrown: Dice, day: number, count: number, planted: number): Hit[] {
  return Array.from({ length: count + planted }, (_, visitor) => {
    const own = visitor < count ? { country: pick(thrown, COUNTRIES), device: pick(thrown, DEVICES) } : PLANTED;
    const second = thrown.between(0, 86_000);
    const make = (more: Partial<Hit>): Hit =>
      pageview({
        day,
        visitor,
        second,
        source: pick(thrown, SOURCES),
        page: pick(thrown, ['/', '/a', '/b']),
        hostname: pick(thrown, HOSTS),
        properties: pick(thrown, PROPERTIES),
        ...own,
        ...more,
      });
    const later = second + 3_000;
    const goal = thrown.chance(0.3) ? [make({ second: second + 10, page: '/thanks' })] : [];
    return [make({}), ...goal, ...(later < 86_400 && thrown.chance(0.2) ? [make({ second: later })] : [])];
  }).flat();
}

type Opened = Awaited<ReturnType<typeof openSite>>;
type Reason = { filters: Record<string, string>; total: number; previous: number; difference: number; share: number };

/** Asks, and compares each figure with that of the reference. Returns the filters of the reasons. */
async function explain(app: App, { known }: Opened, asked: Query): Promise<Record<string, string>[]> {
  const url = `/sites/${known.siteId}/stats/explain`;
  const answer = await app.owner.ask('GET', `${url}?${searchOf(asked)}`);
  assert.equal(answer.status, 200, answer.text);
  const { total, previous, difference, reasons } = dataOf(answer, 'GET', url);
  const { by = 'visitors', goal, ...plain } = asked;
  const now = app.clock.now() / 1000;
  const read = <Answer>(path: string, more: Query): Answer =>
    naive(known, { path, query: { ...plain, ...more } }, now) as Answer;
  const count = (more: Query): [number, number] => {
    if (by === 'visitors') {
      const overview = read<{ visitors: number; previous: { visitors: number } }>('overview', more);
      return [overview.visitors, overview.previous.visitors];
    }
    const [from, to] = String(plain.compare).split('~');
    const countIn = (range: Query): number => {
      const { compare: _, ...own } = { ...plain, ...more, ...range };
      const { goals } = naive(known, { path: 'goals', query: own }, now) as {
        goals: { id: number; conversions: number }[];
      };
      return goals.find(({ id }) => String(id) === goal)?.conversions ?? -1;
    };
    return [countIn({}), countIn({ range: `${from}~${to}` })];
  };
  assert.deepEqual([total, previous.total], count({}), JSON.stringify(asked));
  assert.equal(difference, total - previous.total);
  for (const reason of reasons as Reason[]) {
    const filters = Object.entries(reason.filters).map(([name, value]) => [`filters[${name}]`, value]);
    assert.deepEqual(
      [reason.total, reason.previous],
      count(Object.fromEntries(filters)),
      JSON.stringify([asked, reason]),
    );
    assert.equal(reason.difference, reason.total - reason.previous);
  }
  return reasons.filter(({ certain }: { certain: boolean }) => certain).map(({ filters }: Reason) => filters);
}

const PLANTED = { country: 'DE', device: 'Mobile' };
const days = (first: number, last: number): string => `${date(TODAY + first)}~${date(TODAY + last)}`;

for (const [name, limits] of shapes()) {
  test(`explain: each figure is that of the overview with these filters${name}`, async (t) => {
    const app = await startApp(t, {}, { limits, threaded: true });
    for (let seed = 1; seed <= share(8); seed++) {
      const thrown = dice(seed);
      const opened = await openSite(app, { goals: [{ type: 'page', value: '/thanks' }] });
      const goal = String(opened.known.goals[0]?.id);
      // Open days in many parts take long, so they are few. With fewer visitors a day, the country alone may explain the
      // change as well.
      const isWhole = name === '';
      const { length, least, planted } = isWhole
        ? { length: 16, least: 30, planted: 40 }
        : { length: 3, least: 10, planted: 20 };
      const make = (ago: number) =>
        makeDay(thrown, TODAY - ago, thrown.between(least, least + 20), ago < 8 ? planted : 0);
      const hits = Array.from({ length }, (_, ago) => make(ago)).flat();
      await opened.store(hits);
      await app.engine.upkeep.compact();
      const questions: Query[] = [
        { range: 'today', compare_until: 'now' },
        { range: days(-7, -1), compare: days(-14, -8), by: 'conversions', goal },
        { range: '7d', compare_until: 'now' },
        { range: '7d' },
        { range: days(-7, -1), compare: days(-14, -8), 'filters[device]': 'Mobile' },
        { range: days(-3, -1), compare: days(-15, -10), 'filters[country][not]': ['FR'] },
        { range: '7d', compare_until: 'now', 'filters[hostname]': 'example.com' },
        { range: days(-7, -1), by: 'conversions', compare: days(-14, -8), goal, 'filters[property:plan][is]': ['pro'] },
      ];
      const agree = async () => {
        for (const question of questions.slice(0, isWhole ? questions.length : 1)) {
          await explain(app, opened, question);
        }
      };
      const found = async () => (isWhole ? await explain(app, opened, { range: days(-7, -1) }) : [PLANTED]);
      await agree();
      assert.deepEqual(await found(), [PLANTED]);
      await app.seal();
      await agree();
      assert.deepEqual(await found(), [PLANTED]);
      await opened.exclude(TODAY - 7, TODAY, { 'filters[source]': 'x.org' });
      await agree();
    }
  });
}

const SHOP = 'shop.example.com';
const SITE = 'example.com';
const sign = (plan: string, hostname: string): Partial<Hit> => ({
  ...{ event: 'signup', hostname, properties: JSON.stringify({ plan }) },
});

/**
 * Two weeks. Each day, 20 visitors sign up for pro on the site, 20 for free in the shop, and 20 only read. In the last
 * week, 30 more come each day.
 */
async function openWeeks(t: Parameters<typeof startApp>[0], more: readonly Partial<Hit>[]) {
  const app = await startApp(t);
  const opened = await openSite(app);
  const usual = [
    [{ hostname: SITE }, sign('pro', SITE)],
    [{ hostname: SHOP }, sign('free', SHOP)],
    [{ hostname: SITE }],
  ];
  const hits = Array.from({ length: 14 }, (_, ago) =>
    Array.from({ length: ago < 7 ? 90 : 60 }, (_, visitor) =>
      (visitor < 60 ? (usual[visitor % 3] ?? []) : more).map((own, i) =>
        pageview({
          ...{ day: TODAY - 1 - ago, visitor, second: 60 * visitor + i },
          ...{ country: COUNTRIES[visitor % 4] ?? '', source: SOURCES[(visitor >> 2) % 4] ?? '', ...own },
        }),
      ),
    ),
  ).flat(2);
  await opened.store(hits);
  return { app, opened, asked: { range: days(-7, -1), compare: days(-14, -8) } };
}

test('explain: a host name and a property are found together', async (t) => {
  const { app, opened, asked } = await openWeeks(t, [{ hostname: SHOP }, sign('pro', SHOP)]);
  const both = [{ hostname: SHOP, 'property:plan': 'pro' }];
  assert.deepEqual(await explain(app, opened, asked), both);
  assert.deepEqual(await explain(app, opened, { ...asked, 'filters[event]': 'signup' }), both);
  assert.deepEqual(await explain(app, opened, { ...asked, 'filters[hostname]': SHOP }), [{ 'property:plan': 'pro' }]);
  await app.seal();
  assert.deepEqual(await explain(app, opened, asked), both);
});

test('explain: a host name and a property of different hits are no filter, so one of them is the reason', async (t) => {
  const { app, opened, asked } = await openWeeks(t, [{ hostname: SHOP }, sign('pro', SITE)]);
  const [first, ...others] = await explain(app, opened, asked);
  assert.equal(Object.keys(first ?? {}).filter((name) => /hostname|plan/.test(name)).length, 1, JSON.stringify(first));
  assert.ok(others.every((other) => !('hostname' in other && 'property:plan' in other)));
});

test('explain: the answer says which properties were tried, and which are too many', async (t) => {
  const app = await startApp(t);
  const opened = await openSite(app);
  const names = Array.from({ length: 11 }, (_, i) => `p${i}`);
  const hits = Array.from({ length: 12 }, (_, visitor) =>
    pageview({
      ...{ day: TODAY - 1, visitor, second: visitor },
      properties: JSON.stringify(Object.fromEntries(names.slice(0, visitor).map((name) => [name, 'x']))),
    }),
  );
  await opened.store(hits);
  const ask = async (query: string) =>
    (await app.owner.ask('GET', `/sites/${opened.known.siteId}/stats/explain?${query}`)).body.data.properties;
  assert.deepEqual(await ask('range=7d'), { tried: names.slice(0, 5), left_out: names.slice(5) });
  assert.deepEqual(await ask(`range=${days(-9, -3)}`), { tried: [], left_out: [] });
});

test('explain: by conversions, the reason is of the goal', async (t) => {
  const app = await startApp(t);
  const opened = await openSite(app, { goals: [{ type: 'page', value: '/thanks' }] });
  const make = (day: number, visitor: number, source: string, page: string) =>
    pageview({ day, visitor, second: visitor, source, page, country: COUNTRIES[visitor % 3] ?? '' });
  const hits = Array.from({ length: 14 }, (_, ago) =>
    Array.from({ length: 60 }, (_, visitor) => {
      const source = visitor % 2 ? 'google.com' : 'x.org';
      const isReached = visitor < (visitor % 2 && ago < 7 ? 60 : 20);
      const pages = isReached ? ['/', '/thanks'] : ['/'];
      return pages.map((page) => make(TODAY - 1 - ago, visitor, source, page));
    }),
  ).flat(2);
  await opened.store(hits);
  const ask = async (query: string) => {
    const url = `/sites/${opened.known.siteId}/stats/explain`;
    return dataOf(await app.owner.ask('GET', `${url}?range=${days(-7, -1)}${query}`), 'GET', url);
  };
  const { by, goal, total, previous, verdict, reasons } = await ask('&by=conversions');
  assert.deepEqual([by, goal, total, previous.total], ['conversions', opened.known.goals[0]?.id, 280, 140]);
  assert.equal(verdict, 'explained');
  assert.deepEqual(reasons[0].filters, { channel: 'Organic Search' });
  assert.deepEqual([reasons[0].difference, reasons[0].share], [140, 100]);
  const still = await ask('');
  assert.deepEqual([still.difference, still.verdict, still.reasons], [0, 'chance', []]);
});

test('explain: what cannot be explained is refused with the field', async (t) => {
  const app = await startApp(t);
  const refused = [
    ['compare=none', 'compare'],
    ['by=revenue', 'by'],
    ['goal=1', 'goal'],
    ['by=conversions', 'goal'],
    ['range=soon', 'range'],
    ['filters[colour]=red', 'filters[colour]'],
  ];
  for (const [query, field] of refused) {
    const { status, body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain?${query}`);
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, [field]], query);
  }
  assert.equal((await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain?by=conversions&goal=9`)).status, 404);
});

test('explain: without visits there is nothing to explain', async (t) => {
  const app = await startApp(t);
  const { body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain`);
  const { total, difference, verdict, reasons } = body.data;
  assert.deepEqual(
    { total, difference, verdict, reasons },
    { total: 0, difference: 0, verdict: 'chance', reasons: [] },
  );
});
