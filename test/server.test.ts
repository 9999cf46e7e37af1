import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { suite, type TestContext, test } from 'node:test';
import { tokenSecret } from '../src/lib/secrets.ts';
import { listNotes } from '../src/store/notes.ts';
import { openStore } from '../src/store/open.ts';
import { addSite } from '../src/store/sites.ts';
import { type Ability, addToken } from '../src/store/tokens.ts';
import { addUser } from '../src/store/users.ts';
import { NOON } from './helpers.ts';
import { DEADLINE_MS, program, type Server, until } from './program.ts';
import { chance } from './random.ts';

type Reply = { status: number; headers: Record<string, string>; body: string };

/** A server with somebody who has a site and two tokens; what they hold is put into the file before it starts. */
async function serving(t: TestContext, flags: string[] = [], env: Record<string, string> = {}) {
  const { serve, db: file } = program(t);
  const store = openStore(file);
  const now = NOON / 1000;
  const tokenOf = (userId: number, abilities: Ability[]) => {
    const secret = tokenSecret(randomBytes);
    return `${addToken(store.db, { userId, name: 'test', abilities, secret, now }).id}|${secret}`;
  };
  const { token, otherToken, site } = store.db.write(() => {
    const user = addUser(store.db, { email: 'ann@example.com', password: null, now });
    return {
      token: tokenOf(user.id, ['read', 'write']),
      otherToken: tokenOf(user.id, ['read', 'write']),
      site: addSite(store.db, { accountId: user.accountId, domain: 'example.com', now }),
    };
  });
  store.close();
  return { server: await serve(flags, { env }), file, token, otherToken, site };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Takes apart what a connection brought; an answer that is cut off, or anything between two of them, is a failure. */
function repliesOf(received: Buffer, method = 'GET'): Reply[] {
  const replies: Reply[] = [];
  for (let rest = received.toString('latin1'); rest !== ''; ) {
    const [head = '', start = '', lines = ''] =
      /^(HTTP\/1\.1 \d{3} [A-Za-z ]+)\r\n((?:[\w-]+: .*\r\n)*)\r\n/.exec(rest) ?? [];
    assert.ok(head, `no answer: ${rest.slice(0, 300)}`);
    const headers = Object.fromEntries(
      lines
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    // Before it knows the method, the parser cannot know either that HEAD wants no body.
    const bare = method === 'HEAD' && /^(HTTP\/1\.1 |$)/.test(rest.slice(head.length));
    const length = bare ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(head.length, head.length + length);
    assert.equal(body.length, length, `cut off: ${rest}`);
    replies.push({ status: Number(start.slice(9, 12)), headers, body: Buffer.from(body, 'latin1').toString() });
    rest = rest.slice(head.length + length);
  }
  return replies;
}

function open({ port }: Server): Socket {
  const socket = connect(port, '127.0.0.1');
  // A server that never closes is what these tests would hang on otherwise.
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('the server neither answered nor closed')));
  return socket;
}

/** Sends bytes as they are; the one answer to them, after which the server must close. */
async function send(server: Server, bytes: string | Buffer): Promise<Reply> {
  const socket = open(server);
  socket.write(bytes);
  const replies = repliesOf(await buffer(socket), bytes.toString('latin1').split(' ')[0]);
  assert.equal(replies.length, 1, JSON.stringify(replies));
  return replies[0] as Reply;
}

/** A request of its own for send(): with these lines, and the server is to close afterwards. */
const lines = (...all: string[]): string => [...all, 'Connection: close', '', ''].join('\r\n');

function assertProblem(reply: Reply, status: number, code: string) {
  const body = JSON.parse(reply.body) as { error: { code: string; message: string; fields?: Record<string, string> } };
  assert.equal(reply.status, status, reply.body);
  assert.deepEqual(Object.keys(body), ['error']);
  assert.equal(body.error.code, code);
  assert.equal(typeof body.error.message, 'string');
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.match(reply.headers['x-request-id'] ?? '', /^[0-9A-Za-z]+-[0-9a-z]+$/);
  return body.error;
}

const big = (length: number): string => 'a'.repeat(length);

/** What never becomes a request, or must not: bytes, status and code. */
const REFUSED: Record<string, [(token: string) => string | Buffer, number, string]> = {
  'a request line that is none': [() => 'HELLO\r\n\r\n', 400, 'bad_request'],
  'a version that is none': [() => 'GET / HTTP/9.7\r\nHost: a.test\r\n\r\n', 400, 'bad_request'],
  'a header without a colon': [() => 'GET / HTTP/1.1\r\nHost: a.test\r\nnonsense\r\n\r\n', 400, 'bad_request'],
  'a NUL in a header': [() => 'GET / HTTP/1.1\r\nHost: a.test\r\nA: b\0c\r\n\r\n', 400, 'bad_request'],
  'a header of more than 16 KiB': [
    () => `GET / HTTP/1.1\r\nHost: a.test\r\nA: ${big(16 * 1024)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  'many headers of together more than 16 KiB': [
    () => `GET / HTTP/1.1\r\nHost: a.test\r\n${`A: ${big(50)}\r\n`.repeat(340)}\r\n`,
    431,
    'headers_too_large',
  ],
  'a URL of 20 KB': [() => `GET /${big(20_000)} HTTP/1.1\r\nHost: a.test\r\n\r\n`, 431, 'headers_too_large'],
  'Content-Length and Transfer-Encoding at once': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  'Content-Length twice': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
    400,
    'bad_request',
  ],
  'a Content-Length that is no number': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: two\r\n\r\n{}',
    400,
    'bad_request',
  ],
  'a chunk whose size is no number': [
    (token) =>
      `POST /api/v1/sites HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
    400,
    'bad_request',
  ],
  'HTTP/1.1 without Host': [() => 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
  'an Expect that nobody knows': [
    () => 'POST / HTTP/1.1\r\nHost: a.test\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'bad_request',
  ],
  CONNECT: [() => 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', 400, 'bad_request'],
  'the beginning of TLS': [
    () => Buffer.from('16030100c8010000c40303a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hex'),
    400,
    'bad_request',
  ],
};

/** Paths whose answers differ in kind: JSON, a page, with and without a token, and errors. */
const PATHS = ['/healthz', '/readyz', '/', '/api/v1/openapi.json', '/api/v1/account', '/nothing', '/setup/x'];

// biome-ignore format: lists to choose from
const TARGETS: Record<string, string[]> = {
  GET: [
    '/', '/healthz', '/readyz', '/setup/x', '/invite/x', '/password/x', '/api/v1/openapi.json', '/api/v1/account',
    '/api/v1/sites', '/api/v1/sites/1', '/api/v1/sites/example.com', '/api/v1/sites/1/notes', '/api/v1/sites/1/goals',
    '/api/v1/sites/1/funnels', '/api/v1/team', '/api/v1/tokens', '/api/v1/sites/1/stats/overview',
    '/api/v1/sites/1/stats/breakdown/pages', '/day.gif?site=example.com&url=https://example.com/', '/day.js', '/sign-in',
    '/share/x', '/live/example.com', '/unsubscribe/x',
  ],
  POST: [
    '/day', '/day', '/day', '/sign-in', '/forgot', '/sign-out', '/api/v1/sites/1/hits', '/api/v1/sites/1/crawls',
    '/setup/x', '/invite/x', '/api/v1/sites', '/api/v1/sites/1/goals', '/api/v1/sites/1/funnels', '/api/v1/sites/1/notes',
    '/api/v1/team', '/api/v1/tokens',
  ],
  PATCH: ['/api/v1/sites/1', '/api/v1/sites/example.com', '/api/v1/team/1'],
  // Nothing that the other requests need.
  DELETE: [
    '/api/v1/sites/999', '/api/v1/sites/1/notes/1', '/api/v1/sites/1/goals/1', '/api/v1/team/1', '/api/v1/tokens/999',
  ],
};
// biome-ignore format: lists to choose from
const ODD = {
  methods: [
    'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'QUERY', 'get', 'FOO', '', 'G\0T', 'GET POST',
    'PRI',
  ],
  targets: [
    '*', '', 'api', 'http://evil.test/api/v1/sites', 'http://evil.test', 'http://', 'http://[', 'https://evil.test:99999/',
    'ftp://evil.test/', '//evil.test/api/v1/sites', '\\\\evil.test', 'javascript:1', '%2fapi', '?', '/\ud83d',
  ],
  ends: [
    '%', '%zz', '%00', '%ff', '%c0%af', '/../..', '/.', '//', '#x', '\\', '?', '?&&=&', '?from=%', '?from=1&from=2',
    '?__proto__=1', '?constructor[prototype]=1', '?from=%ed%a0%80', '/-1', '/1e9', '/99999999999999999999', '/__proto__',
    '/NaN', `?a=${big(9_000)}`, `/${'x/'.repeat(2_000)}`,
  ],
  headers: [
    'Host: b.test', 'Host:', 'Host: a b', 'Host: [::', 'Host: a.test:99999', 'Host: \xff', 'Content-Length: -1',
    'Content-Length: 1, 2', 'Content-Length: 99999999999999999999', 'Content-Length: 0x10', 'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: identity', 'Expect: 100-continue', 'Expect: a-miracle',
    'Upgrade: websocket\r\nConnection: Upgrade', 'Connection: keep-alive, close', 'Cookie: a=b', 'Authorization: Bearer',
    'Authorization: Basic YTpi', 'Authorization: Bearer 1|dbk_x', 'Content-Type: application/json; charset=\xff',
    'Content-Type: ,', 'Content-Encoding: gzip', 'Accept: text/html', 'A: b\r\n folded', 'A : b', ': b', 'A', 'A: \0',
    'A: \x7f', 'A: b\n', '__proto__: x', 'constructor: x', 'X-Forwarded-For: ::1%lo, nonsense,,', 'Range: bytes=0-1',
    'Trailer: A', `X-Forwarded-For: ${'1.1.1.1,'.repeat(500)}`, `A: ${big(5_000)}`, `A: ${big(20_000)}`,
  ],
  bodies: [
    '', '{', '}', '[]', 'null', '7', '1e999', '-', '"', '"text"', '{}', '{"a":1,}', '\xef\xbb\xbf{}',
    '{"domain":"\\ud800.example"}', '{"domain":{"toString":1}}', '{"domain":["a.example"]}', '{"domain":1e400}',
    '{"account_id":-0,"domain":"a.example"}', '{"account_id":9007199254740993,"domain":"a.example"}',
    '{"date":"2026-01-31","text":"\\ud800"}', '{"date":"2026-01-31","text":"\\u0000"}', '{"date":"0000-00-00","text":"x"}',
    '{"date":"2026-01-31","text":"\xff\xfe"}', '{"date":"2026-01-31","text":"x","__proto__":1}', '{"date":[],"text":{}}',
    '{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}', '{"toString":1,"hasOwnProperty":2}',
    '{"name":"x","abilities":["read","__proto__"]}', '{"name":"x","abilities":{"length":1}}', '{"name":"x","abilities":[[]]}',
    '{"type":"page","value":"/%ff/../\\u0000"}', '{"type":"page","value":"//evil.test/"}', '{"type":"__proto__","value":"x"}',
    '{"name":"x","steps":[null,{}]}', '{"name":"x","steps":{"0":1,"length":2}}', '{"email":"a@b\\r\\nBcc: c@d","role":"viewer"}',
    '{"email":"a@example.com","role":"__proto__"}', '{"shared":1,"main_goal_id":9007199254740993}', '{"main_goal_id":1}',
    'email=a&password=%zz', 'email=a&email=b', '['.repeat(30_000), '{"a":'.repeat(10_000), big(70_000),
    `{"text":"${'\\u0000'.repeat(5_000)}"}`, '{"site":"example.com","url":"https://example.com/%00"}',
    '{"site":"example.com","url":"https://example.com/","engaged":-0}', '{"site":"example.com","url":"x","event":"\\ud800"}',
    '{"site":["example.com"],"url":{}}', '[{"url":"https://example.com/","ip":"::1%x","agent":""}]', `[${'{},'.repeat(2_000)}{}]`,
  ],
};

type Malformed = { bytes: Buffer; hangUp: 'politely' | 'rudely' | undefined; method: string };

/**
 * One request after the other in which something is wrong, or several things, half of them with a good token: in every
 * other one the HTTP too, in the rest only what it carries.
 */
function* malformed(random: () => number, token: string): Generator<Malformed> {
  const happens = (share: number) => random() < share;
  const pick = <One>(from: readonly One[]): One => from[Math.floor(random() * from.length)] as One;
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

  for (;;) {
    const bad = happens(0.5) ? happens : () => false;
    const known = pick(Object.keys(TARGETS));
    const method = bad(0.2) ? pick(ODD.methods) : known;
    const target = bad(0.2) ? pick(ODD.targets) : pick(TARGETS[known] ?? []) + (happens(0.3) ? pick(ODD.ends) : '');
    const headers = [
      ...(bad(0.05) ? [] : ['Host: a.test']),
      ...(happens(0.5) ? [`Authorization: Bearer ${token}`] : []),
      ...(happens(0.9) ? ['Content-Type: application/json'] : []),
      // So that bad tokens are answered with 401 and not, after the first 60, with 429.
      `X-Forwarded-For: 10.${noise(3).join('.')}`,
    ];
    while (bad(0.5)) headers.splice(Math.floor(random() * headers.length), 0, pick(ODD.headers));
    let body = happens(0.05) ? noise(50) : Buffer.from(pick(ODD.bodies), 'latin1');
    if (happens(0.2)) {
      headers.push('Transfer-Encoding: chunked');
      const size = bad(0.3) ? pick(['zz', '-1', 'ffffffffffffffff', '0', '1', '']) : body.length.toString(16);
      const rest = bad(0.1) || body.length === 0 ? '\r\n' : '\r\n0\r\n\r\n';
      body = Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(rest)]);
    } else if (!bad(0.1)) {
      headers.push(`Content-Length: ${Math.max(0, body.length + (bad(0.1) ? pick([-1, 1, 1_000]) : 0))}`);
    }
    const version = bad(0.1) ? pick(['1.0', '0.9', '2.0', 'x']) : '1.1';
    const head = [`${method} ${target} HTTP/${version}`, ...headers, '', ''].join(
      bad(0.1) ? pick(['\n', '\r', '\0']) : '\r\n',
    );
    let bytes = Buffer.concat([Buffer.from(head, 'latin1'), body]);
    if (bad(0.1)) bytes = bytes.subarray(0, Math.floor(random() * bytes.length));
    if (bad(0.1)) noise(5).copy(bytes, Math.floor(random() * bytes.length));
    if (bad(0.05)) bytes = noise(200);
    const hangUp = bad(0.1) ? 'politely' : bad(0.1) ? 'rudely' : undefined;
    yield { bytes, hangUp, method: bytes.toString('latin1', 0, 5).trim() };
  }
}

/** What comes back until the server closes, which it must do soon after our end has been closed. */
function exchange(server: Server, { bytes, hangUp }: Malformed): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    const received: Buffer[] = [];
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the server did not close after ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`));
    }, DEADLINE_MS);
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 100 ')) socket.end();
    });
    socket.setTimeout(100, () => socket.end());
    // A server may close while we still send; what it said before counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve(Buffer.concat(received));
    });
    socket.on('connect', () => {
      if (hangUp === 'politely') socket.end(bytes);
      else socket.write(bytes, () => hangUp === 'rudely' && socket.resetAndDestroy());
    });
  });
}

/** Resident memory in KiB, once it no longer changes. */
async function settledMemory({ pid }: Server): Promise<number> {
  const read = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  let last = Number.NaN;
  let steady = 0;
  await until('the memory of the server settles', () => {
    const now = read();
    steady = Math.abs(now - last) < 64 ? steady + 1 : 0;
    last = now;
    return steady >= 30;
  });
  return last;
}

/** The head of a request with a body of so many bytes that adds a note. */
const noteHead = (site: number, token: string, length: number): string =>
  [
    `POST /api/v1/sites/${site}/notes HTTP/1.1`,
    'Host: a.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

const note = (words: string): string => JSON.stringify({ date: '2026-01-31', text: words });

/** True once nobody listens any more; asking may itself be cut off at that moment. */
const isClosed = ({ port }: Server) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
    socket.on('close', () => resolve(false));
  });

function textsIn(file: string, site: number): string[] {
  const store = openStore(file);
  try {
    return listNotes(store.db, site, '0000-01-01', '9999-12-31').map((one) => one.text);
  } finally {
    store.close();
  }
}

type Client = { added: string[]; failures: string[]; done: Promise<void> };

/** Adds one note after the other over a connection that is kept alive, until nobody listens any more. */
function client({ url }: Server, site: number, token: string, name: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { ...bearer(token), 'Content-Type': 'application/json' };
  const added: string[] = [];
  const failures: string[] = [];

  /** What went wrong, if anything did. */
  const add = (words: string) =>
    new Promise<string | undefined>((resolve) => {
      const asking = request(`${url}/api/v1/sites/${site}/notes`, { method: 'POST', agent, headers });
      const fail = (error: NodeJS.ErrnoException) =>
        resolve(`${error.code} (${asking.reusedSocket ? 'kept' : 'new'} connection)`);
      asking.on('error', fail);
      asking.on('response', (incoming) => {
        text(incoming).then((body) => {
          if (incoming.statusCode === 201 && body.includes(words)) added.push(words);
          else failures.push(`${incoming.statusCode} ${body}`);
          resolve(undefined);
        }, fail);
      });
      asking.end(note(words));
    });

  async function work() {
    for (let count = 0; ; count++) {
      const failure = await add(`${name}-${count}`);
      if (failure?.startsWith('ECONNREFUSED')) break;
      if (failure !== undefined) failures.push(failure);
    }
    agent.destroy();
  }
  return { added, failures, done: work() };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: only tests of a suite run side by side
suite('the server', { concurrency: 3 }, () => {
  test('headers or a body that do not come are answered with 408', async (t) => {
    const { server, token } = await serving(t);
    const head = `POST /api/v1/sites HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const begun = ['GET /healthz HTTP/1.1\r\nHost: a.test\r\n', `${head}Content-Length: 50\r\n\r\n{"domain`];
    for (const reply of await Promise.all(begun.map((bytes) => send(server, bytes)))) {
      assertProblem(reply, 408, 'request_timeout');
      assert.equal(reply.headers.connection, 'close');
    }
    assert.deepEqual(server.stderr, []);
  });

  test('what the parser refuses is answered in the shape of the API, and the connection is closed', async (t) => {
    const { server, token } = await serving(t);
    for (const [what, [bytes, status, code]] of Object.entries(REFUSED)) {
      await t.test(what, async () => {
        const reply = await send(server, bytes(token));
        assertProblem(reply, status, code);
        assert.equal(reply.headers.connection, 'close');
      });
    }
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.deepEqual(server.stderr, []);
  });

  test('headers of a little less than 16 KiB are taken', async (t) => {
    const { server } = await serving(t);
    const reply = await send(server, lines('GET /healthz HTTP/1.1', 'Host: a.test', `A: ${big(16_000)}`));
    assert.equal(reply.status, 200);
  });

  test('HTTP/1.0 needs no Host', async (t) => {
    const { server } = await serving(t);
    const reply = await send(server, 'GET /healthz HTTP/1.0\r\n\r\n');
    assert.equal(reply.status, 200);
    assert.equal(reply.body, '{"data":{"status":"ok"}}');
  });

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

  test('an answer to whoever has a token says how much is left, and scripts of other origins may read it', async (t) => {
    const { server, token, site } = await serving(t);
    const readable = [
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ];
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

  test('a body of more than 64 KiB is refused, whether its length is announced or not', async (t) => {
    const { server, token, site } = await serving(t);
    const post = (who: string, body: string, announced: boolean) =>
      new Promise<Reply>((resolve, reject) => {
        const headers = { ...bearer(who), 'Content-Type': 'application/json' };
        const length = announced ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' };
        const asking = request(`${server.url}/api/v1/sites/${site}/notes`, {
          method: 'POST',
          headers: { ...headers, ...length },
        });
        asking.on('error', reject).on('response', async (incoming: IncomingMessage) => {
          const answered = { status: incoming.statusCode ?? 0, headers: incoming.headers as Record<string, string> };
          resolve({ ...answered, body: await text(incoming) });
        });
        asking.end(body);
      });
    const bodyOf = (length: number) => JSON.stringify({ date: '2026-01-31', text: 'x' }).padEnd(length);
    for (const announced of [true, false]) {
      assertProblem(await post(token, bodyOf(64 * 1024 + 1), announced), 413, 'payload_too_large');
      assertProblem(await post(token, big(300_000), announced), 413, 'payload_too_large');
      assertProblem(await post('nonsense', bodyOf(300_000), announced), 401, 'unauthenticated');
      assert.equal((await post(token, bodyOf(64 * 1024), announced)).status, 201);
    }
  });

  test('a body that is announced as too large is refused before it comes', async (t) => {
    const { server, token, site } = await serving(t);
    const socket = open(server);
    const head = `POST /api/v1/sites/${site}/notes HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}`;
    socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`);
    const [reply] = repliesOf(await buffer(socket));
    assert.ok(reply);
    assertProblem(reply, 413, 'payload_too_large');
  });

  test('a body that is no JSON object, or is not sent as one, is a 422 that says so', async (t) => {
    const { server, token, site } = await serving(t);
    const json = 'application/json';
    const good = '{"date":"2026-01-31","text":"x"}';
    const wrong: [string | undefined, string | Uint8Array][] = [
      [json, ''],
      [json, '{'],
      [json, "{'date':'2026-01-31'}"],
      [json, `${good}${good}`],
      [json, `\ufeff\ufeff${good}`],
      [json, '[]'],
      [json, `[${good}]`],
      [json, 'null'],
      [json, '"text"'],
      [json, '7'],
      [undefined, good],
      ['text/plain', good],
      ['application/x-www-form-urlencoded', 'date=2026-01-31&text=x'],
      ['application/jsonp', good],
      [json, Buffer.from('{"date":"2026-01-31","text":"\xff"}', 'latin1')],
      [json, Buffer.from('{"date":"2026-01-31","text":"\xc0\xaf"}', 'latin1')],
      [json, Buffer.from(good, 'utf16le')],
    ];
    const post = (type: string | undefined, body: string | Uint8Array) => {
      const bytes = Buffer.from(body);
      const head = [`POST /api/v1/sites/${site}/notes HTTP/1.1`, 'Host: a.test', `Authorization: Bearer ${token}`];
      const more = [...(type === undefined ? [] : [`Content-Type: ${type}`]), `Content-Length: ${bytes.length}`];
      return send(server, Buffer.concat([Buffer.from(lines(...head, ...more)), bytes]));
    };
    for (const [type, body] of wrong) {
      const { fields } = assertProblem(await post(type, body), 422, 'invalid_request');
      assert.deepEqual(Object.keys(fields ?? {}), ['body'], `${type}: ${body}`);
    }
    assert.equal((await post('Application/JSON; charset=utf-8', good)).status, 201);
  });

  test('4,000 malformed requests get no 5xx, and the server neither grows nor breaks', async (t) => {
    // On a machine with much memory V8 lets garbage lie about before it looks for it; what is left then is in use.
    const env = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=64' };
    const flags = ['--rate-limit', '0', '--trusted-proxies', '127.0.0.1'];
    const { server, token, otherToken } = await serving(t, flags, env);
    const requests = malformed(chance(t), token);
    const statuses = new Map<number, number>();

    async function ask(count: number) {
      let left = count;
      const work = async () => {
        while (left-- > 0) {
          const asked = requests.next().value as Malformed;
          const about = () => JSON.stringify(asked.bytes.toString('latin1').slice(0, 2_000));
          for (const { status, headers, body } of repliesOf(await exchange(server, asked), asked.method)) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            assert.ok(status < 500, `${status} for ${about()}`);
            if (body === '') continue;
            if (headers['content-type'] === 'application/json') {
              const keys = Object.keys(JSON.parse(body));
              if (status >= 400) assert.deepEqual(keys, ['error'], about());
              else assert.ok(keys.includes('data') || keys.includes('openapi'), about());
            } else if (!/^(?:image\/(?:gif|svg)|text\/javascript)/.test(headers['content-type'] ?? '')) {
              assert.match(body, /^<!doctype html>[\s\S]* · daybook<\/title>[\s\S]*<\/html>\n$/, about());
            }
          }
        }
      };
      await Promise.all(Array.from({ length: 50 }, work));
    }

    await ask(1_000);
    const before = await settledMemory(server);
    await ask(3_000);
    const grown = (await settledMemory(server)) - before;
    t.diagnostic(`${JSON.stringify(Object.fromEntries([...statuses].sort()))}, ${before} KiB and ${grown} more`);
    // The generator reaches what it is meant to reach.
    for (const status of [200, 204, 400, 401, 404, 405, 413, 422, 431]) assert.ok(statuses.has(status), `no ${status}`);
    assert.ok(grown < 20 * 1024, `${grown} KiB more`);
    const good = await fetch(`${server.url}/api/v1/account`, { headers: bearer(otherToken) });
    assert.equal(good.status, 200);
    assert.deepEqual(
      server.stderr.filter((line) => !line.includes('"event":"invitation made;')),
      [],
    );
    assert.equal(await server.stop(), 0);
  });

  for (let round = 1; round <= 3; round++) {
    test(`SIGTERM under load cuts nothing off and loses nothing (${round} of 3)`, async (t) => {
      const { server, file, token, site } = await serving(t, ['--rate-limit', '0']);
      const clients = Array.from({ length: 20 }, (_, i) => client(server, site, token, `client-${i}`));
      await until('every client has added notes', () => clients.every(({ added }) => added.length >= 5));
      // The program gives up after 8 s, with another code.
      assert.equal(await server.stop(), 0);
      await Promise.all(clients.map(({ done }) => done));
      assert.deepEqual(
        clients.flatMap(({ failures }) => failures),
        [],
      );
      assert.equal(existsSync(`${file}-wal`), false);
      assert.deepEqual(textsIn(file, site).sort(), clients.flatMap(({ added }) => added).sort());
      assert.deepEqual(server.stderr, []);
    });
  }

  test('a request whose body is still arriving at SIGTERM is answered, and then the connection is closed', async (t) => {
    const { server, file, token, site } = await serving(t);
    const socket = open(server);
    const body = note('slow');
    socket.write(noteHead(site, token, body.length) + body.slice(0, 10));
    // An answer on another connection says that the server has read what came before it.
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    socket.write(body.slice(10));
    const [reply] = repliesOf(await buffer(socket));
    assert.equal(reply?.status, 201);
    assert.equal(reply.headers.connection, 'close');
    assert.equal(await server.ended, 0);
    assert.deepEqual(textsIn(file, site), ['slow']);
  });

  test('a connection that is kept alive takes one more request after SIGTERM, and is then closed', async (t) => {
    const { server, token } = await serving(t);
    const ask = `GET /api/v1/account HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\n`;
    const socket = open(server);
    // The request has begun, so that it does not matter how soon connections without one are closed.
    socket.write(`${ask}\r\n${ask}`);
    const received = buffer(socket);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    socket.write('\r\n');
    const replies = repliesOf(await received);
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.connection]),
      [
        [200, 'keep-alive'],
        [200, 'close'],
      ],
    );
    assert.equal(await server.ended, 0);
  });

  test('after SIGTERM the server is not ready, but alive, and says so to whoever is still connected', async (t) => {
    const { server } = await serving(t);
    for (const path of ['/readyz', '/healthz']) assert.equal((await fetch(server.url + path)).status, 200);
    const [ready, alive] = ['/readyz', '/healthz'].map((path) => {
      const socket = open(server);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n`);
      return socket;
    }) as [Socket, Socket];
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    for (const socket of [ready, alive]) socket.write('\r\n');
    const [unready] = repliesOf(await buffer(ready));
    assert.ok(unready);
    assertProblem(unready, 503, 'unavailable');
    assert.match(unready.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    const [healthy] = repliesOf(await buffer(alive));
    assert.equal(healthy?.status, 200);
    assert.equal(await server.ended, 0);
  });

  for (const signals of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const) {
    test(`${signals[1]} after ${signals[0]} ends the program at once, even while a request hangs`, async (t) => {
      const { server, token, site } = await serving(t);
      const socket = open(server);
      socket.on('error', () => {});
      socket.write(`${noteHead(site, token, 100)}{`);
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
      server.kill(signals[0]);
      await until('nobody listens', () => isClosed(server));
      server.kill(signals[1]);
      // Without the second signal the request would be given up after some seconds, and the code would be 0.
      assert.equal(await server.ended, 1);
    });
  }

  test('a request that hangs does not keep the program from ending', async (t) => {
    const { server, file, token, site } = await serving(t);
    const hanging = open(server);
    hanging.on('error', () => {});
    hanging.write(`${noteHead(site, token, 100)}{`);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.equal(await server.stop(), 0);
    assert.equal(existsSync(`${file}-wal`), false);
  });

  test('who asks for a tunnel and goes away does not harm the server', async (t) => {
    const { server } = await serving(t);
    const call = () =>
      new Promise((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', () => socket.resetAndDestroy());
        });
        socket.on('error', () => {}).on('close', resolve);
      });
    // The reset has to come before the server's answer, which it does most times.
    for (let i = 0; i < 100; i++) await call();
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.deepEqual(server.stderr, []);
  });

  test('who asks for a tunnel and never closes it is let go of', async (t) => {
    const { server } = await serving(t);
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket.resume(), 'end');
    await until('the server has closed its side too', () => {
      socket.write('hello?');
      return socket.destroyed;
    });
  });

  test('who asks for a tunnel and never closes it does not keep the program from ending', async (t) => {
    const { server, file } = await serving(t);
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => socket.destroy());
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    const [reply] = repliesOf(await buffer(socket));
    assert.equal(reply?.status, 400);
    assert.equal(await server.stop(), 0);
    assert.equal(existsSync(`${file}-wal`), false);
  });
});
