import { big } from './serving.ts';

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
export const ODD = {
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

export type Malformed = { bytes: Buffer; hangUp: 'politely' | 'rudely' | undefined; method: string };

/**
 * One request after the other in which something is wrong, or several things, half of them with a good token: in every
 * other one the HTTP too, in the rest only what it carries.
 */
export function* malformed(random: () => number, token: string): Generator<Malformed> {
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
