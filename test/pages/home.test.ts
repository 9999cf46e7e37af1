import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyApp } from '../helpers.ts';

test('the bare address of a new server says where the link for setting it up is, and does not give it away', async (t) => {
  const app = await emptyApp(t);
  const { status, headers, text } = await app.ask('GET', '/');
  assert.equal(status, 200);
  assert.equal(headers.get('Content-Type'), 'text/html; charset=utf-8');
  assert.match(text, /Nobody has set it up yet\. The terminal in which it was started shows the link/);
  assert.ok(!text.includes(app.setupSecret));
  assert.ok(!text.includes('/setup/'));
});

test('once somebody uses the server, its bare address says what it is and where its API is described', async (t) => {
  const app = await emptyApp(t);
  await app.person('owner@example.com');
  const { status, text } = await app.ask('GET', '/');
  assert.equal(status, 200);
  assert.doesNotMatch(text, /set it up|owner@example\.com/);
  assert.match(text, /counts visits to web sites/);
  const [, link] = /<a href="([^"]+)">/.exec(text) ?? [];
  assert.ok(link);
  const described = await app.ask('GET', link);
  assert.equal(described.status, 200);
  assert.match(described.body.openapi, /^3\./);
});

test('the bare address takes GET, HEAD and OPTIONS, and nothing else', async (t) => {
  const app = await emptyApp(t);
  const seen = await app.ask('GET', '/');
  const head = await app.ask('HEAD', '/');
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.equal(head.headers.get('Content-Length'), seen.headers.get('Content-Length'));
  assert.equal((await app.ask('OPTIONS', '/')).headers.get('Allow'), 'GET, HEAD, OPTIONS');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await app.ask(method, '/', { body: {} });
    assert.equal(status, 405, method);
    assert.equal(headers.get('Allow'), 'GET, HEAD, OPTIONS', method);
    assert.equal(body.error.code, 'method_not_allowed', method);
  }
});
