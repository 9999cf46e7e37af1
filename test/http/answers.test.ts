import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSED } from './refused.ts';
import { assertProblem, lines, type Reply, send, serving } from './serving.ts';

/** Paths whose answers differ in kind: JSON, a page, with and without a token, and errors. */
const PATHS = ['/healthz', '/readyz', '/', '/api/v1/openapi.json', '/api/v1/account', '/nothing', '/setup/x'];

test('a known path answers another method with 405 and those it takes, before it asks for a token', async (t) => {
  const { server } = await serving(t);
  for (const [path, allow] of [
    ['/api/v1/sites', 'GET, POST, HEAD, OPTIONS'],
    ['/api/v1/sites/1', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
  ] as const) {
    for (const method of ['PUT', 'TRACE', 'PROPFIND']) {
      const reply = await send(server, lines(`${method} ${path} HTTP/1.1`, 'Host: a.test'));
      assertProblem(reply, 405, 'method_not_allowed');
      assert.deepEqual(reply.headers.allow?.split(', ').sort(), allow.split(', ').sort(), `${method} ${path}`);
    }
  }
});

test('an unknown path, one with a slash at its end and one with two slashes are not found', async (t) => {
  const { server, token } = await serving(t);
  const paths = [
    '/nothing',
    '/api/v1',
    '/api/v2/sites',
    '/api/v1/sites/',
    '//api/v1/sites',
    '/api/v1//sites',
    '/healthz/',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      const head = [`${method} ${path} HTTP/1.1`, 'Host: a.test', `Authorization: Bearer ${token}`];
      assertProblem(await send(server, lines(...head)), 404, 'not_found');
    }
  }
});

test('a path with a dot segment is not found, because a proxy may forward only a part of all paths', async (t) => {
  const { server, token } = await serving(t);
  const up = [
    '/x/../healthz',
    '/x/%2e%2e/healthz',
    '/x/.%2E/healthz',
    '/./healthz',
    '/healthz/.',
    '/x/..?/healthz',
    '/..',
  ];
  for (const path of [...up, 'http://a.test/x/../healthz', '/x/y/../../api/v1/sites']) {
    const head = [`GET ${path} HTTP/1.1`, 'Host: a.test', `Authorization: Bearer ${token}`];
    assertProblem(await send(server, lines(...head)), 404, 'not_found');
  }
  for (const path of ['/healthz?a=/../b', '/healthz?/..', 'http://a.test/healthz']) {
    assert.equal((await send(server, lines(`GET ${path} HTTP/1.1`, 'Host: a.test'))).status, 200, path);
  }
});

test('where people come over https they are told to stay there, and elsewhere not', async (t) => {
  for (const [flags, expected] of [
    [['--base-url', 'https://stats.example.com'], 'max-age=31536000'],
    [[], undefined],
  ] as const) {
    const { server } = await serving(t, [...flags]);
    for (const path of ['/', '/healthz', '/api/v1/sites', '/nowhere']) {
      const { headers } = await send(server, lines(`GET ${path} HTTP/1.1`, 'Host: a'));
      assert.equal(headers['strict-transport-security'], expected, path);
    }
  }
});

test('the name by which the server is called never comes into a link', async (t) => {
  const { server, token, site } = await serving(t);
  const ask = (method: string, path: string, body?: unknown) => {
    const json = body === undefined ? '' : JSON.stringify(body);
    const head = [`${method} http://evil.test${path} HTTP/1.1`, 'Host: evil.test', `Authorization: Bearer ${token}`];
    const more = ['X-Forwarded-Host: evil.test', 'Content-Type: application/json', `Content-Length: ${json.length}`];
    return send(server, lines(...head, ...more) + json);
  };
  const listed = await ask('GET', '/api/v1/sites');
  assert.equal(listed.status, 200);
  assert.ok(listed.body.includes(`${server.url}/day.js`), listed.body);
  const added = await ask('POST', '/api/v1/sites', { domain: 'two.example' });
  assert.equal(added.status, 201);
  assert.match(added.headers.location ?? '', /^\/api\/v1\/sites\/\d+$/);
  const shared = await ask('PATCH', `/api/v1/sites/${site}`, { shared: true });
  assert.ok(shared.body.includes(`"share_url":"${server.url}/share/`), shared.body);
  const invited = await ask('POST', '/api/v1/team', { email: 'bob@example.com', role: 'viewer' });
  assert.ok(invited.body.includes(`"invitation_url":"${server.url}/invite/`), invited.body);
  for (const { headers, body } of [listed, added, shared, invited]) {
    assert.ok(!`${JSON.stringify(headers)}${body}`.includes('evil'), body);
  }
});

test('HEAD has the status and the headers of GET, and no body', async (t) => {
  const { server, token } = await serving(t);
  const changing = /^(date|x-request-id|x-ratelimit-remaining|ratelimit)$/;
  for (const path of [...PATHS, '/api/v1/sites', '/api/v1/sites/999', '/api/v1/sites?a=b']) {
    for (const authorization of [`Bearer ${token}`, 'none']) {
      const head = ['Host: a.test', `Authorization: ${authorization}`];
      const get = await send(server, lines(`GET ${path} HTTP/1.1`, ...head));
      const bare = await send(server, lines(`HEAD ${path} HTTP/1.1`, ...head));
      const steady = ({ headers }: Reply) =>
        Object.entries(headers)
          .map(([name, value]) => (changing.test(name) ? name : `${name}: ${value}`))
          .sort();
      assert.equal(bare.status, get.status, path);
      assert.equal(bare.body, '', path);
      assert.deepEqual(steady(bare), steady(get), path);
      assert.equal(bare.headers['content-length'], String(Buffer.byteLength(get.body)), path);
    }
  }
});

test('a preflight is answered for any origin, without a token', async (t) => {
  const { server } = await serving(t);
  for (const path of ['/api/v1/account', '/api/v1/sites/1/notes', '/api/v1/openapi.json']) {
    const answer = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    assert.equal(answer.status, 204);
    assert.equal(await answer.text(), '');
    const { headers } = answer;
    assert.equal(headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal(headers.get('Access-Control-Allow-Credentials'), null);
    assert.ok(headers.get('Access-Control-Allow-Methods')?.split(', ').includes('GET'));
    assert.ok(headers.get('Access-Control-Allow-Headers')?.split(', ').includes('Authorization'));
    assert.match(headers.get('Access-Control-Max-Age') ?? '', /^[1-9]\d*$/);
  }
});

test('every answer has a request id of its own', async (t) => {
  const { server, token } = await serving(t, ['--rate-limit', '0']);
  const requests = [
    ...PATHS.flatMap((path) => ['GET', 'HEAD', 'OPTIONS', 'PUT'].map((method) => `${method} ${path} HTTP/1.1`)).map(
      (line) => lines(line, 'Host: a.test', `Authorization: Bearer ${token}`),
    ),
    ...Object.values(REFUSED).map(([bytes]) => bytes(token)),
  ];
  const replies = await Promise.all([...requests, ...requests].map((bytes) => send(server, bytes)));
  const ids = replies.map(({ headers }) => headers['x-request-id']);
  assert.equal(
    ids.findIndex((id) => id === undefined || id === ''),
    -1,
  );
  assert.equal(new Set(ids).size, 2 * requests.length);
});
