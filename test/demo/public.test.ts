// The public demo: everybody looks as its guest, and nobody changes anything.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { coded } from '../../src/lang/coded.ts';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { inLanguage } from '../../src/lang/translated-sentences.ts';
import { BASE } from '../../src/lib/http/paths.ts';
import { changeShareSlug } from '../../src/store/sites/sites.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';
import { type Asking, form } from '../support/requests.ts';

/** The third user of the cast is the viewer. */
const GUEST = 3;
const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];
const REFUSED = '403 read_only_demo';

async function publicDemo(t: TestContext, settings: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, settings, { guest: GUEST });
  assert.equal(app.viewer.id, GUEST);
  const say = async (method: string, path: string, asking: Asking = {}) => {
    const { status, body } = await app.ask(method, path, asking);
    return `${status} ${body?.error?.code ?? ''}`.trim();
  };
  /** How many rows were written so far. */
  const countWrites = () => app.db.one<{ n: number }>('SELECT total_changes() AS n')?.n;
  return { ...app, say, countWrites };
}

const fill = (path: string): string =>
  path.replaceAll(/\{site\}|:domain/g, 'example.com').replaceAll(/\{\w+\}|:\w+/g, '1');

test('public demo: a stranger sees the dashboard and its reports at once, as a viewer', async (t) => {
  const { ask, say } = await publicDemo(t);
  for (const path of ['/', '/sites/example.com']) {
    const { status, text, headers } = await ask('GET', path);
    assert.equal(status, 200, path);
    assert.match(text, /"isPublicDemo":true/);
    assert.equal(headers.get('Set-Cookie'), null);
  }
  const { body } = await ask('GET', `${BASE}/sites`);
  assert.deepEqual(
    body.data.map(({ domain, role }: Record<string, string>) => [domain, role]),
    [['example.com', 'viewer']],
  );
  assert.equal(await say('GET', `${BASE}/sites/example.com/stats/overview`), '200');
  assert.equal(await say('GET', `${BASE}/sites/stranger.example/stats/overview`), '404 not_found');
  assert.equal(await say('GET', `${BASE}/server`), '403 role_forbidden');
  assert.equal(await say('GET', `${BASE}/sites`, { token: '1|nothing' }), '401 unauthenticated');
});

test('public demo: every route that changes something is refused, whoever asks', async (t) => {
  const { db, owner, say, countWrites, siteId } = await publicDemo(t);
  changeShareSlug(db, siteId, 'shared');
  const callers: Asking[] = [{}, { cookie: `daybook=${'a'.repeat(43)}` }, { token: owner.token }, { share: 'shared' }];
  const before = countWrites();
  const changing = routes.filter(({ method }) => method !== 'GET');
  assert.ok(changing.length > 20);
  for (const { method, path } of changing) {
    for (const caller of callers)
      assert.equal(await say(method, BASE + fill(path), { ...caller, body: {} }), REFUSED, path);
  }
  assert.equal(countWrites(), before);
});

test('public demo: every path of the server refuses a change, forms and MCP too', async (t) => {
  const { app, ask, say, countWrites } = await publicDemo(t, { mcp: '' });
  const before = countWrites();
  const paths = [...new Set(app.hono.routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
  for (const path of ['/sign-in', '/forgot', '/mcp', '/setup/:secret', '/sign-out', '/day'])
    assert.ok(paths.includes(path), path);
  for (const path of paths) {
    for (const method of CHANGES) {
      const said = await say(method, fill(path), { body: { site: 'example.com', url: 'https://example.com/' } });
      // These paths never take a change. Those of a collector stand before the others.
      const isFixed =
        /^\/(?:healthz|readyz|day(?:-vitals)?(?:\.\w+)?)$/.test(path) && !(path === '/day' && method === 'POST');
      assert.equal(said, isFixed ? '405 method_not_allowed' : REFUSED, `${method} ${path}`);
    }
  }
  for (const language of LANGUAGES) {
    const fields = form({ email: 'a@example.com', password: 'a password' }, { 'accept-language': language });
    const { status, text } = await ask('POST', '/sign-in', fields);
    assert.equal(status, 403);
    assert.ok(text.includes(inLanguage(coded('read_only_demo'), language)), language);
  }
  assert.equal(countWrites(), before);
});

test('public demo: hits from outside are refused, and leave no trace', async (t) => {
  const { ask, say, countWrites, owner } = await publicDemo(t);
  const before = countWrites();
  const headers = { 'user-agent': FIREFOX, 'accept-language': 'en' };
  const message = { site: 'example.com', url: 'https://example.com/buy' };
  assert.equal(await say('POST', '/day', { body: message, headers }), REFUSED);
  assert.equal(await say('POST', '/day', { body: { ...message, engaged: 900 }, headers }), REFUSED);
  assert.equal(await say('POST', '/day', { body: { ...message, vitals: { lcp: 1204 } }, headers }), REFUSED);
  assert.equal(await say('GET', '/day.gif?site=example.com&url=https://example.com/buy', { headers }), REFUSED);
  assert.equal(countWrites(), before);
  const { body } = await ask('GET', `${BASE}/sites/example.com/stats/overview?range=today`, { token: owner.token });
  assert.equal(body.data.pageviews, 0);
});

test('public demo: each IP address has its own limit, and search engines are told to stay away', async (t) => {
  const { ask, say } = await publicDemo(t, { 'rate-limit': '1' });
  const path = `${BASE}/sites`;
  const from = (address: string) => say('GET', path, { address });
  for (let i = 0; i < 10; i++) assert.equal(await from('198.51.100.1'), '200');
  assert.equal(await from('198.51.100.1'), '429 rate_limited');
  assert.equal(await from('198.51.100.2'), '200');
  assert.equal((await ask('GET', '/')).headers.get('X-Robots-Tag'), 'noindex');
});

test('public demo: no other server has a guest', async (t) => {
  const { ask } = await startApp(t);
  assert.equal((await ask('GET', '/')).status, 303);
  assert.equal((await ask('GET', `${BASE}/sites`)).status, 401);
});
