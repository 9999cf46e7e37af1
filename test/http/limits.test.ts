import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON } from '../support/helpers.ts';
import { bearer, serving } from './serving.ts';

test('an answer to whoever has a token says how much is left, and scripts of other origins may read it', async (t) => {
  const { server, token, site } = await serving(t);
  const readable = ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const asked: [string, string, number][] = [
    ['GET', '/api/v1/account', 200],
    ['GET', '/api/v1/sites/999', 404],
    ['GET', '/api/v1/sites?wrong=1', 422],
    ['POST', `/api/v1/sites/${site}/notes`, 422],
    ['DELETE', `/api/v1/sites/${site}`, 204],
  ];
  for (const [index, [method, path, status]] of asked.entries()) {
    const { headers, status: actual } = await fetch(server.url + path, { method, headers: bearer(token) });
    assert.equal(actual, status, path);
    assert.equal(headers.get('X-RateLimit-Remaining'), String(119 - index));
    assert.equal(headers.get('Access-Control-Allow-Origin'), '*');
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? [];
    for (const name of [...readable, 'Retry-After', 'X-Request-Id', 'Location'])
      assert.ok(exposed.includes(name), name);
  }
});

test('of 200 requests at once with one token exactly 120 are carried out, and another token does not notice', async (t) => {
  const { server, token, otherToken } = await serving(t);
  const ask = (bearerToken: string) => fetch(`${server.url}/api/v1/account`, { headers: bearer(bearerToken) });
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(token)));
  const of = (status: number) => answers.filter((answer) => answer.status === status);
  assert.equal(of(200).length, 120);
  assert.equal(of(429).length, 80);
  for (const { headers } of answers) {
    assert.equal(headers.get('X-RateLimit-Limit'), '120');
    assert.equal(headers.get('RateLimit-Policy'), '"default";q=120;w=60');
    const left = headers.get('X-RateLimit-Remaining') ?? '';
    const [, remaining, reset = ''] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
    assert.equal(remaining, left);
    assert.ok(Number(reset) >= 1 && Number(reset) <= 60, reset);
  }
  const lefts = of(200).map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
  assert.deepEqual(
    lefts.sort((a, b) => a - b),
    Array.from({ length: 120 }, (_, left) => left),
  );
  for (const answer of of(429)) {
    assert.equal(answer.headers.get('X-RateLimit-Remaining'), '0');
    const wait = Number(answer.headers.get('Retry-After'));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait));
    const reset = Number(answer.headers.get('X-RateLimit-Reset'));
    const passed = reset - NOON / 1000;
    assert.ok(passed >= 0 && passed <= 62 + performance.now() / 1000, `${passed} s are not within a minute of now`);
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.equal(error.code, 'rate_limited');
  }
  const other = await ask(otherToken);
  assert.equal(other.status, 200);
  assert.equal(other.headers.get('X-RateLimit-Remaining'), '119');
  assert.equal((await ask(token)).status, 429);
});

test('--rate-limit 0 means no limit, and no headers that speak of one', async (t) => {
  const { server, token } = await serving(t, ['--rate-limit', '0']);
  const ask = () => fetch(`${server.url}/api/v1/account`, { headers: bearer(token) });
  const answers = await Promise.all(Array.from({ length: 150 }, ask));
  for (const { status, headers } of answers) {
    assert.equal(status, 200);
    assert.equal(headers.get('X-RateLimit-Limit'), null);
    assert.equal(headers.get('RateLimit'), null);
  }
});

test('the 61st bad token in a minute from one address is told to wait, whatever address it claims', async (t) => {
  const { server, token } = await serving(t);
  const ask = (bad: string, forwarded: string) =>
    fetch(`${server.url}/api/v1/account`, { headers: { ...bearer(bad), 'X-Forwarded-For': forwarded } });
  const bad = ['nonsense', '1|dbk_nonsense', `${token.slice(0, -1)}g`, token.replace(/^\d+/, '999')];
  const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => ask(bad[i % 4] ?? '', `192.0.2.${i}`)));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 60);
  assert.equal(statuses.filter((status) => status === 429).length, 20);
  for (const { status, headers } of answers) {
    if (status === 401) assert.equal(headers.get('WWW-Authenticate'), 'Bearer');
    else assert.match(headers.get('Retry-After') ?? '', /^([1-9]|[1-5]\d|60)$/);
  }
  assert.equal((await fetch(`${server.url}/api/v1/account`)).status, 429);
  assert.equal((await ask(token, '192.0.2.1')).status, 200);
});

test('behind a trusted proxy bad tokens are counted by the address that it names', async (t) => {
  const { server } = await serving(t, ['--trusted-proxies', '127.0.0.1']);
  const ask = async (forwarded: Record<string, string>) =>
    (await fetch(`${server.url}/api/v1/account`, { headers: { ...bearer('nonsense'), ...forwarded } })).status;
  const crowd = await Promise.all(Array.from({ length: 70 }, () => ask({ 'X-Forwarded-For': '192.0.2.1' })));
  assert.equal(crowd.filter((status) => status === 401).length, 60);
  assert.equal(await ask({ 'X-Forwarded-For': '192.0.2.2' }), 401);
  // What stands before the address that the proxy saw is only what somebody claims.
  assert.equal(await ask({ 'X-Forwarded-For': '192.0.2.3, 192.0.2.1' }), 429);
  assert.equal(await ask({}), 401);
});
