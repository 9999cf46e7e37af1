import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../../src/config.ts';
import { nameVariable } from '../../src/options.ts';
import { emptyApp } from '../support/helpers.ts';
import { COMPANIONS, refused } from '../support/settings.ts';

test('a bad value is refused by the name of its flag, wherever it came from', () => {
  const wrong = {
    port: ['', '-1', '+1', '65536', '1.5', '0x50', '1e3', ' 80', '80 ', 'http', '٨٠', '1'.repeat(20)],
    'base-url': [
      'stats.example.com',
      'ftp://example.com',
      'https://',
      'https:example.com',
      '//example.com',
      'javascript:alert(1)',
    ],
    'trusted-proxies': ['proxy', '1.2.3.4/33', '1.2.3.4;5.6.7.8', '10.0.0.0/8 172.16.0.0/12', '::1/129', '127.0.0.1,x'],
    'exclude-addresses': [
      'office',
      '1.2.3.4/33',
      '192.0.2.1-192.0.2.9',
      '::1/129',
      '192.0.2.1 192.0.2.2',
      '192.0.2.1,x',
    ],
    primary: [
      'stats.example.com',
      'http://stats.example.com',
      'http://203.0.113.7:8377',
      'http://[2001:db8::7]',
      'http://[2a00:1450:4001:82b::200e]:8377',
      'https://stats.example.com/path',
    ],
    'webhook-url': [
      'http://hooks.slack.com/services/x',
      'http://hooks.example.com/x',
      'http://203.0.113.7/x',
      'http://[2001:db8::7]/x',
    ],
    'rate-limit': ['', '-1', '1000001', 'none', '1/s', '0.5'],
    'smtp-url': [
      'mail.example.com',
      'mail.example.com:25',
      'http://mail.example.com',
      'smtp:',
      'smtp://',
      'smtps://user:geheim@',
    ],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const companions = name === 'smtp-url' || name === 'webhook-url' ? COMPANIONS : {};
      for (const { message } of [
        refused({ ...companions, [name]: value }),
        refused(companions, { [nameVariable(name)]: value }),
      ]) {
        assert.match(message, new RegExp(`--${name}\\b`), `${name}=${value}`);
        assert.ok(!message.includes('geheim'), 'a password must not reach the terminal');
      }
    }
  }
});

test('a bad address is refused in one line that names the entry and says how it is written', () => {
  for (const name of ['trusted-proxies', 'exclude-addresses']) {
    const { message } = refused({ [name]: '192.0.2.7, office.example.com,::1' });
    assert.equal(
      message,
      `--${name}: office.example.com is not an IP address or CIDR block. Write it as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32, with commas between several`,
    );
  }
});

test('an empty host is refused, because it would listen on every address', () => {
  assert.match(refused({ host: '' }).message, /--host\b/);
  assert.match(refused({}, { DAYBOOK_HOST: '' }).message, /--host\b/);
});

test('a port is a whole number up to 65535, and a rate limit one up to a million', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(70_000), fc.nat(1_100_000)), (n) => {
      if (n <= 65_535) assert.equal(readConfig({ port: String(n) }, {}).port, n);
      else
        assert.match(refused({ port: String(n) }).message, /^--port takes a whole number from 0 to 65535, not "\d+"$/);
      if (n <= 1_000_000) assert.equal(readConfig({ 'rate-limit': String(n) }, {}).rateLimit, n);
      else
        assert.match(
          refused({ 'rate-limit': String(n) }).message,
          /^--rate-limit takes a whole number from 0 to 1000000,/,
        );
    }),
    { numRuns: 1_000 },
  );
});

test('a base URL is a bare origin, which a slash at its end does not spoil', () => {
  const origins: [string, string][] = [
    ['https://stats.example.com', 'https://stats.example.com'],
    ['https://stats.example.com/', 'https://stats.example.com'],
    ['HTTPS://Stats.Example.COM', 'https://stats.example.com'],
    ['http://localhost:8377', 'http://localhost:8377'],
    ['http://192.0.2.1', 'http://192.0.2.1'],
    ['http://[::1]:8377', 'http://[::1]:8377'],
  ];
  for (const [typed, baseUrl] of origins) assert.equal(readConfig({ 'base-url': typed }, {}).baseUrl, baseUrl);
  const more = ['/a', '//', '/a/', '?', '?a', '#', '#a', '/..', ' ', '\n', ':x', '\\'];
  for (const end of more) {
    const { message } = refused({ 'base-url': `https://stats.example.com${end}` });
    assert.match(
      message,
      /^--base-url takes an origin such as https:\/\/stats\.example\.com, not /,
      JSON.stringify(end),
    );
  }
  for (const typed of [
    'https://user@stats.example.com',
    'https://user:pw@stats.example.com',
    ' https://stats.example.com',
  ]) {
    refused({ 'base-url': typed });
  }
});

test('mail needs a sender', () => {
  const smtp = { 'smtp-url': 'smtp://mail.example.com:25' };
  assert.equal(refused(smtp).message, '--smtp-url needs --mail-from');
  assert.equal(refused({ ...smtp, 'mail-from': '' }).message, '--smtp-url needs --mail-from');
  const { smtpUrl, mailFrom } = readConfig({ ...smtp, 'mail-from': 'daybook@example.com' }, {});
  assert.deepEqual([smtpUrl, mailFrom], ['smtp://mail.example.com:25', 'daybook@example.com']);
});

test('a sender that no mail can come from is refused at the start, not at the first mail', () => {
  const from = (address: string) => readConfig({ 'smtp-url': 'smtp://127.0.0.1', 'mail-from': address }, {}).mailFrom;
  for (const address of ['daybook', 'daybook@', 'Daybook <daybook>', 'a@example.com, b@example.com']) {
    assert.throws(() => from(address), /--mail-from takes an e-mail address/, address);
  }
  for (const address of ['daybook@example.com', 'Daybook <daybook@example.com>']) assert.equal(from(address), address);
});

test('the script takes a path of plain words that nothing else has', async (t) => {
  const { app } = await emptyApp(t, { script: '/stats/counter' });
  const taken = new Set(app.hono.routes.map(({ path }) => /^\/[\w-]+/.exec(path)?.[0] ?? '/'));
  for (const path of taken) {
    if (path === '/stats' || path.startsWith('/day')) continue;
    for (const script of [path, `${path}/x`]) {
      assert.match(refused({ script }).message, /^--script takes a path such as \/day that is not one of/, script);
    }
    // Only the whole word is taken.
    if (path !== '/') assert.equal(readConfig({ script: `${path}-x` }, {}).script, `${path}-x`);
  }
  assert.ok(taken.size > 10);
  for (const script of ['day', '/day/', '/day.js', '//day', '/d y', '/d%20', '/:day', '/*', '/dä', '']) {
    assert.match(refused({ script }).message, /^--script takes a path/, script);
  }
});

test('the script takes a list of paths, and the old one is always among them', () => {
  const pathsOf = (list?: string) => {
    const { script, otherScripts } = readConfig(list === undefined ? {} : { script: list }, {});
    return [script, ...otherScripts];
  };
  assert.deepEqual(pathsOf(), ['/day']);
  assert.deepEqual(pathsOf('/linen/ripple'), ['/linen/ripple', '/day']);
  assert.deepEqual(pathsOf('/linen/ripple, /hello,/hello'), ['/linen/ripple', '/hello', '/day']);
  assert.deepEqual(pathsOf('/day, /linen/ripple'), ['/day', '/linen/ripple']);
  assert.match(refused({ script: '/hello,' }).message, /^--script takes .*, not ""$/);
});

test('a token for metrics is at least 16 characters that a header can carry', () => {
  for (const token of ['short', 'fifteen-letters', 'sixteen letters!', 'sixteen-létters!', 'sixteen-letters\n'])
    assert.match(refused({ 'metrics-token': token }).message, /^--metrics-token takes at least 16 characters/);
});

test('in a network of one\u2019s own, http will do for the primary and for the webhook', () => {
  const inside = ['127.0.0.1', '10.1.2.3', '192.168.1.5:8377', '[::1]:8377', '[fd00::7]', 'localhost', 'primary:8377'];
  for (const host of inside) {
    assert.equal(readConfig({ primary: `http://${host}` }, {}).primary, `http://${host}`);
    const hook = { 'webhook-url': `http://${host}/hook`, 'webhook-secret-file': '/run/secret' };
    assert.equal(readConfig(hook, {}).webhookUrl, `http://${host}/hook`);
  }
});
