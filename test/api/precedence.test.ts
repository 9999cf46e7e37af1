import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { startApp } from '../support/helpers.ts';

type App = Awaited<ReturnType<typeof startApp>>;

test('who may not ask is refused before what was asked is judged', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const code = async (token: string | undefined, method: string, path: string) =>
    (await app.ask(method, `/api/v1${path}`, { token, body: 'x'.repeat(70_000) })).body.error.code;
  const reader = app.tokenOf(app.owner, ['read']);

  assert.equal(await code(undefined, 'POST', '/nowhere'), 'not_found');
  assert.equal(await code(undefined, 'PUT', '/sites'), 'method_not_allowed');
  assert.equal(await code(undefined, 'POST', `/sites/${siteId}/goals`), 'unauthenticated');
  assert.equal(await code(app.stranger.token, 'POST', `/sites/${siteId}/goals`), 'not_found');
  assert.equal(await code(reader, 'POST', `/sites/${siteId}/goals`), 'read_only_token');
  assert.equal(await code(app.viewer.token, 'POST', `/sites/${siteId}/goals`), 'role_forbidden');
  assert.equal(await code(app.manager.token, 'DELETE', `/sites/${siteId}`), 'role_forbidden');
  assert.equal(await code(app.owner.token, 'POST', `/sites/${siteId}/goals`), 'payload_too_large');
  changePlan(app.db, app.owner.id, null);
  assert.equal(await code(reader, 'POST', `/sites/${siteId}/goals`), 'account_blocked');
  assert.equal(await code(app.viewer.token, 'POST', `/sites/${siteId}/goals`), 'account_blocked');
  assert.equal(await code(app.stranger.token, 'POST', `/sites/${siteId}/goals`), 'not_found');
});

for (const [what, status, take] of [
  [
    'a membership',
    404,
    async ({ owner, manager }: App) => {
      const { members } = (await owner.ask('GET', '/team')).body.data;
      const { id } = members.find(({ email }: { email: string }) => email === manager.email);
      await owner.ask('DELETE', `/team/${id}`);
    },
  ],
  ['a token', 401, ({ manager }: App) => manager.ask('DELETE', `/tokens/${manager.token.split('|')[0]}`)],
] as const) {
  test(`${what} that is taken away while the body comes in is gone`, async (t) => {
    const app = await startApp(t);
    const { owner, manager, siteId } = app;
    const body = new ReadableStream({
      async pull(controller) {
        // The head of the request has been judged by now, its end has not come.
        await take(app);
        controller.enqueue(new TextEncoder().encode('{"type":"page","value":"/late"}'));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' };
    const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
    const path = `/api/v1/sites/${siteId}/goals`;
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const response = await app.app.hono.request(path, init, { incoming } as never);
    assert.equal(response.status, status);
    assert.deepEqual((await owner.ask('GET', `/sites/${siteId}/goals`)).body.data, []);
  });
}
