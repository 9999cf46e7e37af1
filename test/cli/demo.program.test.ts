import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BAKERY } from '../../src/demo/bakery.ts';
import { DOCS } from '../../src/demo/docs.ts';
import { program, until } from '../support/program.ts';

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
    [BAKERY, DOCS].map(({ domain, timeZone }) => [domain, 'owner', timeZone]),
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
    const notes = await get(`/sites/${domain}/notes`);
    assert.ok(notes.length > 3);
    const effectOf = ({ id }: { id: number }) => get(`/sites/${domain}/notes/${id}/effect?metric=conversions`);
    const effects = await Promise.all(notes.map(effectOf));
    assert.ok(
      effects.some(({ sentence }) => !sentence.includes('chance')),
      'an effect beyond chance is seen',
    );
    const day = new Date(`${points.at(-1).date}T12:00:00Z`);
    day.setUTCDate(day.getUTCDate() - ((domain === BAKERY.domain ? BAKERY : DOCS).waves[0]?.on ?? 0));
    const [wave] = await get(`/sites/${domain}/exclusions/suggestions?date=${day.toISOString().slice(0, 10)}`);
    assert.equal(wave?.filters.country, 'SG', 'the wave of bots is found');
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
