import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isBot } from '../../src/classify/bot.ts';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { knownSource } from '../../src/classify/source.ts';
import { BAKERY } from '../../src/demo/bakery.ts';
import { dice } from '../../src/demo/dice.ts';
import { DOCS } from '../../src/demo/docs.ts';
import { crawlsOf, hitsOf } from '../../src/demo/past.ts';
import { DAYS, type Plan } from '../../src/demo/plan.ts';
import { zoneOf } from '../../src/lib/zone.ts';
import { NOON } from '../helpers.ts';
import { program, until } from '../program.ts';

const PLANS = [BAKERY, DOCS];
const DAY = 86_400;
const now = NOON / 1000;
const pastOf = (plan: Plan, seed = 1, at = now) => ({
  plan,
  dice: dice(seed),
  today: zoneOf(plan.timeZone).dayAt(at),
});

/** The demo, and what its API says to whoever opens its link. */
async function shown(t: TestContext) {
  const daybook = program(t);
  const server = await daybook.serve([], { command: 'demo', env: { TMPDIR: daybook.folder } });
  const link = /^open (\S+)$/.exec(server.stdout[0] ?? '')?.[1] ?? '';
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const get = async (path: string) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(answer.status, 200, path);
    // biome-ignore lint/suspicious/noExplicitAny: what the server says is what the test is about
    return ((await answer.json()) as any).data;
  };
  return { ...server, folder: daybook.folder, link, entered, get };
}

test('the demo prints a link that signs in, answers, lets people come, and leaves nothing behind', async (t) => {
  const { url, stdout, link, entered, get, folder, stop } = await shown(t);
  assert.equal(stdout.length, 2);
  assert.ok(link.startsWith(`${url}/sign-in/`));
  assert.deepEqual([entered.status, entered.headers.get('Location')], [303, '/']);

  const sites = await get('/sites');
  assert.deepEqual(
    sites.map((site: Record<string, string>) => [site.domain, site.role, site.time_zone]),
    PLANS.map(({ domain, timeZone }) => [domain, 'owner', timeZone]),
  );
  for (const { domain, main_goal_id: main } of sites) {
    const stats = (rest: string) => get(`/sites/${domain}/stats/${rest}`);
    const { visitors, pageviews, bounce_rate, visit_duration, previous } = await stats('overview?range=12m');
    assert.ok(visitors > 10_000 && pageviews > visitors && previous.visitors > visitors / 3, domain);
    assert.ok(bounce_rate > 25 && bounce_rate < 65 && visit_duration > 30 && visit_duration < 300, domain);
    const { rows } = await stats('breakdown/pages?metrics=time_on_page');
    const isLikely = ({ time_on_page: time }: { time_on_page: number }) => time > 10 && time < 300;
    assert.ok(rows.filter(isLikely).length > 5, domain);
    const { points } = await stats('timeseries?range=30d');
    assert.ok(points.slice(0, -1).every((point: { visitors: number }) => point.visitors > 10));
    assert.ok((await stats('breakdown/countries?limit=100&range=12m')).rows.length > 20);
    const { goals } = await stats('goals');
    assert.ok(goals[0].id === main && goals[0].visitors > 50);
    const [{ id }] = await get(`/sites/${domain}/funnels`);
    const { steps } = await stats(`funnels/${id}`);
    assert.ok(steps.at(-1).visitors > 10 && steps.at(-1).visitors < steps[0].visitors);
    assert.ok((await stats('bots')).total > 1_000);
    assert.ok((await stats('assistants')).rows.length > 3);
    assert.ok((await stats('drops')).drops.length > 4);
    assert.ok((await get(`/sites/${domain}/notes`)).length > 3);
    await until('somebody is there', async () => (await stats('realtime')).visitors >= 3);
  }
  assert.equal(await stop(), 0);
  assert.deepEqual(readdirSync(folder), []);
});

test('the demo keeps to a file of its own', async (t) => {
  const daybook = program(t);
  const path = join(daybook.folder, 'mine.db');
  writeFileSync(path, '');
  const { code, stderr } = await daybook.run(['demo', '--db', path]);
  assert.equal(code, 1);
  assert.match(stderr, /the file exists already/);
});

test('the same seed makes the same past, and none of it lies ahead', () => {
  for (const plan of PLANS) {
    const hits = [...hitsOf(pastOf(plan), now)];
    // As text, because comparing so many objects takes as long as making them.
    assert.ok(JSON.stringify(hits) === JSON.stringify([...hitsOf(pastOf(plan), now)]), 'they differ');
    assert.notDeepEqual(hits[0], hitsOf(pastOf(plan, 2), now).next().value);
    const { dateAt } = zoneOf(plan.timeZone);
    assert.ok(hits.every(({ day, second }) => dateAt(day * DAY + second) === day && day * DAY + second <= now));
    assert.ok(new Set(hits.map(({ day }) => day)).size > DAYS - 5);
    const seen = hits.filter(({ engaged }) => engaged === undefined).length;
    assert.ok(seen > 50_000 && seen < 200_000 && hits.length > seen * 1.4, `${seen} of ${hits.length}`);
  }
});

test('the bakery sleeps by the clocks of its own town, in winter as in summer, up to the last moment', () => {
  const { timeZone } = BAKERY;
  assert.equal(timeZone, 'Europe/Berlin');
  // In Berlin the next day has begun at this instant.
  const evening = Date.UTC(2026, 6, 10, 22, 30) / 1000;
  const past = pastOf(BAKERY, 1, evening);
  const instants = [...hitsOf(past, evening)].map(({ day, second }) => day * DAY + second);
  const { localAt, startOf } = zoneOf(timeZone);
  for (const month of [0, 6]) {
    const hours = instants
      .map((instant) => new Date(localAt(instant) * 1000))
      .filter((time) => time.getUTCMonth() === month)
      .map((time) => time.getUTCHours());
    const atNight = hours.filter((hour) => hour < 4).length;
    assert.ok(hours.length > 2_000 && atNight / hours.length < 0.02, `${atNight} of ${hours.length} in month ${month}`);
  }
  assert.equal(startOf(past.today), Date.UTC(2026, 6, 10, 22) / 1000);
  assert.ok(instants.every((instant) => instant <= evening));
});

test('what the demo makes up is known to the program', () => {
  const known = new Set(CRAWLERS.map(({ id }) => id));
  for (const plan of PLANS) {
    assert.ok([...crawlsOf(pastOf(plan))].every(({ crawler }) => known.has(crawler)));
    for (const [agent] of plan.agents) assert.equal(isBot(agent, undefined), false, agent);
    for (const [host] of plan.assistants) assert.equal(knownSource(host)?.kind, 'assistant', host);
    assert.equal(plan.hours.length, 24);
    assert.equal(plan.week.length, 7);
    const pages = new Set([...plan.entries, ...Object.values(plan.links).flat()].map(([page]) => page));
    const events = Object.values(plan.actions).flatMap((actions) => actions.map(({ event }) => event));
    for (const { type, value } of [...plan.goals, ...plan.funnels.flatMap(({ steps }) => steps)]) {
      assert.ok(type === 'page' ? pages.has(value) : events.includes(value), value);
    }
  }
});
