import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BAKERY } from '../../src/demo/bakery.ts';
import { DOCS } from '../../src/demo/docs.ts';
import { folder, NOON } from '../support/helpers.ts';
import { daybookBy, program, until } from '../support/program.ts';

/** Two years of visits take seconds of work, and on a busy machine minutes. */
const DEADLINE_MS = 300_000;
const PLAIN = { 'content-type': 'text/plain' };

/** The demo, and what its API says to whoever opens its link. */
async function shown(t: TestContext) {
  const daybook = program(t);
  const server = await daybook.serve([], {
    ...{ command: 'demo', deadlineMs: DEADLINE_MS },
    env: { TMPDIR: daybook.folder },
  });
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
    const effectOf = ({ id }: { id: number }) => get(`/sites/${domain}/notes/${id}/effect`);
    const verdicts = (await Promise.all(notes.map(effectOf))).map(({ verdict }) => verdict);
    assert.ok(verdicts.includes('up') && verdicts.includes('down'), `${domain}: ${verdicts}`);

    // Of the days in the chart, only the one with the wave of bots gets a suggestion.
    const suggested: string[] = [];
    for (const { date } of points) {
      for (const { filters } of await get(`/sites/${domain}/exclusions/suggestions?date=${date}`)) {
        suggested.push(`${date} ${filters.country}`);
      }
    }
    const wave = new Date(`${points.at(-1).date}T12:00:00Z`);
    wave.setUTCDate(wave.getUTCDate() - ((domain === BAKERY.domain ? BAKERY : DOCS).waves[0]?.on ?? 0));
    assert.deepEqual(suggested, [`${wave.toISOString().slice(0, 10)} SG`]);

    await until('somebody is there', async () => (await stats('realtime')).visitors >= 3);
  }
  const { findings } = await get('/server');
  const visitors = findings.find(({ name }: { name: string }) => name === 'visitors');
  assert.deepEqual([visitors.fine, visitors.says_codes[0].code], [true, 'networks'], visitors.says);
  assert.equal(await stop(), 0);
  assert.deepEqual(readdirSync(folder), []);
});

test('demo: the public one is read-only, and begins anew when an hour has passed', async (t) => {
  const clock = join(folder(t), 'clock');
  const setClock = (ms: number) => writeFileSync(clock, String(ms - Number(process.hrtime.bigint() / 1_000_000n)));
  setClock(NOON);
  const daybook = program(t, { command: [process.execPath, ...daybookBy(clock)] });
  const env = { TMPDIR: daybook.folder, DAYBOOK_METRICS_TOKEN: 'a-token-of-an-operator', DAYBOOK_MCP: 'on' };
  const { url, stdout, stop } = await daybook.serve(['--public'], { command: 'demo', env, deadlineMs: DEADLINE_MS });
  const page = await fetch(url, { redirect: 'manual' });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /"isPublicDemo":true/);
  const live = await fetch(`${url}/api/v1/sites/${BAKERY.domain}/stats/realtime`);
  assert.equal(live.status, 200);
  assert.equal(live.headers.get('X-Robots-Tag'), 'noindex, nofollow');
  for (const path of ['/metrics', '/setup/x']) assert.equal((await fetch(url + path)).status, 404, path);
  const hit = { site: BAKERY.domain, url: `https://${BAKERY.domain}/strange` };
  for (const path of ['/day', '/sign-in', '/mcp', '/api/v1/sites']) {
    const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(hit), headers: PLAIN });
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.deepEqual([answer.status, error.code], [403, 'read_only_demo'], path);
  }
  const listFiles = () => readdirSync(join(daybook.folder, readdirSync(daybook.folder)[0] ?? ''));
  const before = listFiles();
  setClock(NOON + 3_600_000);
  // With port 0, each server takes a port of its own.
  await until('it begins anew', () => stdout.length === 2, DEADLINE_MS);
  const next = stdout.at(-1)?.replace('listening on ', '');
  await until('the old file is gone', () => !listFiles().some((file) => before.includes(file)));
  assert.equal((await fetch(`${next}/api/v1/sites/${BAKERY.domain}/stats/overview`)).status, 200);
  assert.equal(await stop(), 0);
  assert.deepEqual(readdirSync(daybook.folder), []);
});

test('demo: the one of the documents deletes its file, and takes no file that exists', async (t) => {
  const daybook = program(t);
  const { stop, stdout } = await daybook.serve(['--docs'], { command: 'demo' });
  assert.match(stdout[0] ?? '', /^open http/);
  assert.equal(await daybook.print(['check']), '40 days verified, 0 differ');
  assert.equal(await stop(), 0);
  assert.deepEqual(readdirSync(daybook.folder), []);
  writeFileSync(daybook.db, '');
  for (const [flags, reason] of [
    [['--docs'], /the file exists already/],
    [['--docs', '--public'], /Choose one/],
    [['--public', '--db', 'x.db'], /takes no --db/],
  ] as const) {
    const { code, stderr } = await daybook.run(['demo', ...flags]);
    assert.notEqual(code, 0);
    assert.match(stderr, reason);
  }
});

test('the demo keeps to a file of its own', async (t) => {
  const daybook = program(t);
  const path = join(daybook.folder, 'mine.db');
  writeFileSync(path, '');
  const { code, stderr } = await daybook.run(['demo', '--db', path]);
  assert.equal(code, 1);
  assert.match(stderr, /the file exists already/);
});
