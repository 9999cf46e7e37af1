import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Config,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  ownUrl,
  readConfig,
  variableOf,
  withPort,
} from '../src/config.ts';
import { Refusal } from '../src/lib/errors.ts';
import { emptyApp } from './helpers.ts';

type Settings = Partial<Record<OptionName, string>>;

function refused(flags: Settings, environment: Record<string, string> = {}): Refusal {
  try {
    readConfig(flags, environment);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.exitCode, 2);
    return error;
  }
  assert.fail(`taken: ${JSON.stringify({ flags, environment })}`);
}

/** What can be compared of a configuration. */
function plain(flags: Settings, environment: Record<string, string> = {}): Omit<Config, 'trust'> {
  const { trust: _, ...rest } = readConfig(flags, environment);
  return rest;
}

/** A value for each setting that is not its fallback, and what becomes of it. */
const SETTINGS: Record<OptionName, [string, (config: Config) => unknown, unknown]> = {
  script: ['/d/x', ({ script }) => script, '/d/x'],
  flood: ['7', ({ flood }) => flood, 7],
  geoip: ['/g.mmdb', ({ geoip }) => geoip, '/g.mmdb'],
  'country-header': ['CF-IPCountry', ({ countryHeader }) => countryHeader, 'cf-ipcountry'],
  'spam-list': ['/spam.txt', ({ spamList }) => spamList, '/spam.txt'],
  backups: ['/copies', ({ backups }) => backups, '/copies'],
  'keep-backups': ['30', ({ keepBackups }) => keepBackups, 30],
  'metrics-token': ['sixteen-letters!', ({ metricsToken }) => metricsToken, 'sixteen-letters!'],
  db: ['/var/lib/daybook/daybook.db', ({ db }) => db, '/var/lib/daybook/daybook.db'],
  port: ['8080', ({ port }) => port, 8080],
  host: ['::1', ({ host }) => host, '::1'],
  'base-url': ['https://stats.example.com', ({ baseUrl }) => baseUrl, 'https://stats.example.com'],
  'trusted-proxies': ['10.0.0.0/8', ({ trust }) => trust('10.1.2.3'), true],
  'rate-limit': ['7', ({ rateLimit }) => rateLimit, 7],
  'smtp-url': [
    'smtps://user:password@mail.example.com',
    ({ smtpUrl }) => smtpUrl,
    'smtps://user:password@mail.example.com',
  ],
  'mail-from': ['daybook@example.com', ({ mailFrom }) => mailFrom, 'daybook@example.com'],
};
/** Without these a setting cannot stand. */
const COMPANIONS: Settings = { 'mail-from': 'daybook@example.com' };

test('without flags and variables everything has its fallback', () => {
  const { trust, ...config } = readConfig({}, {});
  assert.deepEqual(config, {
    db: './daybook.db',
    port: 8377,
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:8377',
    rateLimit: 120,
    smtpUrl: undefined,
    mailFrom: undefined,
    script: '/day',
    flood: 20,
    geoip: undefined,
    countryHeader: undefined,
    spamList: undefined,
    backups: './daybook.db.backups',
    keepBackups: 7,
    metricsToken: undefined,
  });
  assert.equal(trust('127.0.0.1'), false);
});

test('each setting is a flag and a variable, and the flag wins', () => {
  for (const name of OPTION_NAMES) {
    const [value, read, expected] = SETTINGS[name];
    const variable = variableOf(name);
    assert.notDeepEqual(read(readConfig(COMPANIONS, {})), name === 'mail-from' ? undefined : expected, name);
    assert.deepEqual(read(readConfig({ ...COMPANIONS, [name]: value }, {})), expected, name);
    assert.deepEqual(read(readConfig(name === 'mail-from' ? {} : COMPANIONS, { [variable]: value })), expected, name);
    assert.deepEqual(read(readConfig({ ...COMPANIONS, [name]: value }, { [variable]: 'nonsense!' })), expected, name);
  }
  assert.deepEqual(OPTION_NAMES.map(variableOf), [
    'DAYBOOK_DB',
    'DAYBOOK_PORT',
    'DAYBOOK_HOST',
    'DAYBOOK_BASE_URL',
    'DAYBOOK_TRUSTED_PROXIES',
    'DAYBOOK_RATE_LIMIT',
    'DAYBOOK_SMTP_URL',
    'DAYBOOK_MAIL_FROM',
    'DAYBOOK_SCRIPT',
    'DAYBOOK_FLOOD',
    'DAYBOOK_GEOIP',
    'DAYBOOK_COUNTRY_HEADER',
    'DAYBOOK_SPAM_LIST',
    'DAYBOOK_BACKUPS',
    'DAYBOOK_KEEP_BACKUPS',
    'DAYBOOK_METRICS_TOKEN',
  ]);
});

test('every fallback is a value that could be given', () => {
  for (const name of OPTION_NAMES) assert.deepEqual(plain({ [name]: OPTIONS[name].fallback }), plain({}), name);
});

test("variables that are not ours are nobody's business", () => {
  const others = { PATH: '/bin', PORT: '1', daybook_port: '1', MY_DAYBOOK_PORT: '1', DAYBOOK: '1' };
  assert.deepEqual(plain({}, others), plain({}));
});

test('an unknown variable is refused together with the one that was meant', () => {
  const meant: [string, string][] = [
    ['DAYBOOK_PROT', 'DAYBOOK_PORT'],
    ['DAYBOOK_BASEURL', 'DAYBOOK_BASE_URL'],
    ['DAYBOOK_TRUSTED_PROXY', 'DAYBOOK_TRUSTED_PROXIES'],
    ['DAYBOOK_DB_', 'DAYBOOK_DB'],
  ];
  for (const [typed, name] of meant) {
    assert.equal(refused({}, { [typed]: '1' }).message, `unknown variable ${typed}; did you mean ${name}?`);
    // Even where a flag makes the variable superfluous.
    refused({ port: '1' }, { [typed]: '1' });
  }
});

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
      const companions = name === 'smtp-url' ? COMPANIONS : {};
      for (const { message } of [
        refused({ ...companions, [name]: value }),
        refused(companions, { [variableOf(name)]: value }),
      ]) {
        assert.match(message, new RegExp(`--${name}\\b`), `${name}=${value}`);
        assert.ok(!message.includes('geheim'), 'a password must not reach the terminal');
      }
    }
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

test('an empty base URL is the host and port on which the server listens', () => {
  assert.equal(readConfig({ 'base-url': '', host: '192.0.2.7', port: '80' }, {}).baseUrl, 'http://192.0.2.7:80');
  assert.equal(ownUrl('127.0.0.1', 8377), 'http://127.0.0.1:8377');
  assert.equal(ownUrl('stats.internal', 8377), 'http://stats.internal:8377');
  assert.equal(ownUrl('::1', 8377), 'http://[::1]:8377');
  // Places to listen on, not to go to.
  assert.equal(ownUrl('0.0.0.0', 8377), 'http://localhost:8377');
  assert.equal(ownUrl('::', 8377), 'http://localhost:8377');
});

test('the port that was found reaches the base URL, unless somebody gave one', () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost']) {
    const config = readConfig({ port: '0', host }, {});
    const found = withPort(config, 40_123);
    assert.deepEqual({ ...found }, { ...config, port: 40_123, baseUrl: ownUrl(host, 40_123) });
    assert.equal(config.port, 0, 'the given one stays as it was');
  }
  const given = readConfig({ port: '0', 'base-url': 'https://stats.example.com' }, {});
  assert.deepEqual({ ...withPort(given, 40_123) }, { ...given, port: 40_123 });
  const fixed = readConfig({ port: '8080' }, {});
  assert.equal(withPort(fixed, 8080), fixed);
});

test('mail needs a sender', () => {
  const smtp = { 'smtp-url': 'smtp://mail.example.com:25' };
  assert.equal(refused(smtp).message, '--smtp-url needs --mail-from');
  assert.equal(refused({ ...smtp, 'mail-from': '' }).message, '--smtp-url needs --mail-from');
  const { smtpUrl, mailFrom } = readConfig({ ...smtp, 'mail-from': 'daybook@example.com' }, {});
  assert.deepEqual([smtpUrl, mailFrom], ['smtp://mail.example.com:25', 'daybook@example.com']);
});

test('a configuration is frozen', () => {
  const config = readConfig({ port: '0' }, {});
  assert.ok(Object.isFrozen(config));
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
});

test('so is the one with the port that was found', () => {
  const config = withPort(readConfig({ port: '0' }, {}), 40_123);
  assert.ok(Object.isFrozen(config));
});

test('a sender that no mail can come from is refused at the start, not at the first mail', () => {
  const from = (address: string) => readConfig({ 'smtp-url': 'smtp://127.0.0.1', 'mail-from': address }, {}).mailFrom;
  for (const address of ['daybook', 'daybook@', 'Daybook <daybook>', 'a@example.com, b@example.com']) {
    assert.throws(() => from(address), /--mail-from takes an address/, address);
  }
  for (const address of ['daybook@example.com', 'Daybook <daybook@example.com>']) assert.equal(from(address), address);
});

test('the script takes a path of plain words that nothing else has', async (t) => {
  const { app } = await emptyApp(t, { script: '/stats/counter' });
  const taken = new Set(app.hono.routes.map(({ path }) => /^\/[\w-]+/.exec(path)?.[0] ?? '/'));
  for (const path of taken) {
    if (path === '/stats') continue;
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

test('a token for metrics is at least 16 characters that a header can carry', () => {
  for (const token of ['short', 'fifteen-letters', 'sixteen letters!', 'sixteen-létters!', 'sixteen-letters\n'])
    assert.match(refused({ 'metrics-token': token }).message, /^--metrics-token takes at least 16 characters/);
});
