import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { call, request, send } from './asking.ts';

const ON = { mcp: 'on' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('the path is there only where it is switched on', async (t) => {
  const app = await startApp(t);
  assert.equal((await send(app, LIST, { token: app.owner.token })).status, 404);
});

test('a program begins with a handshake in the version that it asks for, or the newest that has one', async (t) => {
  const app = await startApp(t, ON);
  for (const [asked, given] of [
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ]) {
    const { status, headers, body } = await request(app, app.viewer.token, 'initialize', { protocolVersion: asked });
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
    assert.equal(body.result.protocolVersion, given);
    assert.deepEqual(body.result.capabilities, { tools: {} });
    assert.equal(headers.get('mcp-session-id'), null);
  }
  const done = await send(
    app,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { token: app.viewer.token, headers: { 'mcp-protocol-version': '2025-06-18' } },
  );
  assert.deepEqual([done.status, done.text], [202, '']);
  // The reference client of these versions takes an answer to a ping only where nothing is in it.
  const ping = await request(app, app.viewer.token, 'ping');
  assert.deepEqual(ping.body, { jsonrpc: '2.0', id: 1, result: {} });
  const { result } = (await request(app, app.viewer.token, 'tools/call', { name: 'sites' })).body;
  assert.equal('resultType' in result, false);
});

test('the version without a handshake is known, and its headers must repeat what the body says', async (t) => {
  const app = await startApp(t, ON);
  const version = '2026-07-28';
  const ask = (method: string, params: object, headers: Record<string, string>) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
    const all = { 'mcp-protocol-version': version, 'mcp-method': method, ...headers };
    return send(app, { ...LIST, method, params: { ...params, _meta } }, { token: app.owner.token, headers: all });
  };
  const discovered = (await ask('server/discover', {}, {})).body.result;
  assert.deepEqual(discovered.supportedVersions, [version, '2025-11-25', '2025-06-18', '2025-03-26']);
  assert.equal(discovered.resultType, 'complete');
  const listed = (await ask('tools/list', {}, {})).body.result;
  assert.deepEqual([listed.cacheScope, listed.resultType], ['private', 'complete']);
  const sites = await ask('tools/call', { name: 'sites' }, { 'mcp-name': 'sites' });
  assert.equal(sites.body.result.structuredContent.data.length, 1);
  const wrong: [Record<string, string>, object?][] = [
    [{ 'mcp-method': 'ping' }],
    [{ 'mcp-name': 'overview' }],
    [{}],
    [{ 'mcp-protocol-version': '2025-11-25', 'mcp-name': 'sites' }],
  ];
  for (const [headers] of wrong) {
    const { status, body } = await ask('tools/call', { name: 'sites' }, headers);
    assert.deepEqual([status, body.error.code], [400, -32020], JSON.stringify(headers));
  }
  const unknown = await ask('tools/call', { name: 'sites' }, { 'mcp-protocol-version': '2031-01-01' });
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, -32022]);
  assert.ok(unknown.body.error.data.supported.includes(version));
  assert.equal((await ask('prompts/list', {}, {})).status, 404);
});

test('what is no single request is refused, and says what would be one', async (t) => {
  const app = await startApp(t, ON);
  const { token } = app.owner;
  const refused = async (body: unknown, status: number, code: number) => {
    const answer = await send(app, body, { token });
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], JSON.stringify(body));
  };
  await refused('{', 400, -32700);
  await refused([LIST, LIST], 400, -32600);
  await refused({ ...LIST, jsonrpc: '1.0' }, 400, -32600);
  await refused({ ...LIST, id: null }, 400, -32600);
  await refused({ ...LIST, method: 'prompts/list' }, 200, -32601);
  await refused({ ...LIST, method: 'constructor' }, 200, -32601);
  await refused({ ...LIST, method: 'tools/call' }, 200, -32602);
  await refused({ ...LIST, method: 'tools/call', params: { name: 'remove_site' } }, 200, -32602);
  const unknown = await call(app, token, 'remove_site');
  assert.match(unknown.error.message, /^Unknown tool remove_site. Known tools: sites,/);
  const large = await send(app, { ...LIST, params: { text: 'x'.repeat(70_000) } }, { token });
  assert.equal(large.status, 413);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await app.ask(method, '/mcp', { token });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], method);
  }
});

test('only a token that may read is let in, whatever is asked', async (t) => {
  const app = await startApp(t, ON);
  const { owner, siteId } = app;
  const cookie = await app.signIn(owner);
  const share = await app.share(owner, siteId);
  const nobody = [{}, { token: '1|wrong' }, { cookie }, { share }];
  const messages = [
    LIST,
    { ...LIST, method: 'initialize' },
    { ...LIST, method: 'tools/call', params: { name: 'sites' } },
  ];
  for (const message of messages) {
    for (const asking of nobody) {
      const { status, headers } = await send(app, message, asking);
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], JSON.stringify(asking));
    }
    const collecting = await send(app, message, { token: app.tokenOf(owner, ['collect']) });
    assert.deepEqual([collecting.status, collecting.body.error.code], [403, 'token_forbidden']);
    assert.equal((await send(app, message, { token: app.tokenOf(owner, ['read']) })).status, 200);
  }
  // A cookie beside a token does not make its owner ask.
  const beside = await send(app, messages[2], { token: app.stranger.token, headers: { cookie } });
  assert.deepEqual(
    beside.body.result.structuredContent.data.map(({ domain }: { domain: string }) => domain),
    ['stranger.example'],
  );
});

test('a page of another origin is refused, so that a name that leads to this machine opens nothing', async (t) => {
  const app = await startApp(t, { ...ON, 'base-url': 'https://stats.example.com' });
  const statusOf = async (origin: string) =>
    (await send(app, LIST, { token: app.owner.token, headers: { origin } })).status;
  for (const origin of ['https://evil.example', 'http://stats.example.com', 'http://localhost:6274', 'null'])
    assert.equal(await statusOf(origin), 403, origin);
  assert.equal(await statusOf('https://stats.example.com'), 200);
});

test('calls and messages share the limit of the token with the API', async (t) => {
  const app = await startApp(t, { ...ON, 'rate-limit': '5' });
  const { token } = app.owner;
  const remaining = ({ headers }: { headers: Headers }) => headers.get('x-ratelimit-remaining');
  assert.equal(remaining(await request(app, token, 'tools/list')), '4');
  assert.equal(remaining(await request(app, token, 'tools/call', { name: 'sites' })), '3');
  assert.equal(remaining(await app.owner.ask('GET', '/sites')), '2');
  await request(app, token, 'ping');
  await request(app, token, 'tools/call', { name: 'site', arguments: { site: 'nowhere.example' } });
  const over = await request(app, token, 'tools/call', { name: 'sites' });
  assert.equal(JSON.parse(over.body.result.content[0].text).error.code, 'rate_limited');
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  assert.equal((await request(app, token, 'ping')).status, 429);
  app.clock.pass(60);
  assert.equal((await request(app, token, 'ping')).status, 200);
});
