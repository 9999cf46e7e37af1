import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, ownUrl, readConfig, withPort } from '../src/config.ts';
import { nameVariable, OPTION_NAMES, OPTIONS, type OptionName } from '../src/options.ts';
import { COMPANIONS, refused, type Settings } from './support/settings.ts';

/** What can be compared of a configuration. */
function plain(flags: Settings, environment: Record<string, string> = {}): Omit<Config, 'trust' | 'excluded'> {
  const { trust: _, excluded: __, ...rest } = readConfig(flags, environment);
  return rest;
}

/** A value for each setting that is not its fallback, and what becomes of it. */
const SETTINGS: Record<OptionName, [string, (config: Config) => unknown, unknown]> = {
  script: ['/d/x', ({ script }) => script, '/d/x'],
  flood: ['7', ({ flood }) => flood, 7],
  'day-capacity': ['1000', ({ dayCapacity }) => dayCapacity, 1_000],
  geoip: ['/g.mmdb', ({ geoip }) => geoip, '/g.mmdb'],
  'country-header': ['CF-IPCountry', ({ countryHeader }) => countryHeader, 'cf-ipcountry'],
  'spam-list': ['/spam.txt', ({ spamList }) => spamList, '/spam.txt'],
  backups: ['/copies', ({ backups }) => backups, '/copies'],
  'keep-backups': ['30', ({ keepBackups }) => keepBackups, 30],
  parquet: ['/parquet', ({ parquet }) => parquet, '/parquet'],
  'metrics-token': ['sixteen-letters!', ({ metricsToken }) => metricsToken, 'sixteen-letters!'],
  'webhook-url': [
    'https://hooks.slack.com/services/x',
    ({ webhookUrl }) => webhookUrl,
    'https://hooks.slack.com/services/x',
  ],
  'webhook-secret-file': ['/run/secret', ({ webhookSecretFile }) => webhookSecretFile, '/run/secret'],
  'channels-private': ['on', ({ channels }) => channels, 'private'],
  sql: ['on', ({ sql }) => sql, true],
  mcp: ['on', ({ mcp }) => mcp, true],
  db: ['/var/lib/daybook/daybook.db', ({ db }) => db, '/var/lib/daybook/daybook.db'],
  engine: ['clickhouse://one.example:8123/daybook', ({ engine }) => engine, 'clickhouse://one.example:8123/daybook'],
  primary: ['https://stats.example.com', ({ primary }) => primary, 'https://stats.example.com'],
  'secret-file': ['/run/secret', ({ secretFile }) => secretFile, '/run/secret'],
  outbox: ['/var/lib/daybook/outbox.db', ({ outbox }) => outbox, '/var/lib/daybook/outbox.db'],
  ack: ['reachable', ({ ack }) => ack, 'reachable'],
  'privacy-page': ['public', ({ privacyPage }) => privacyPage, 'public'],
  'oidc-issuer': [
    'https://auth.example.com/realms/main',
    ({ oidc }) => oidc?.issuer,
    'https://auth.example.com/realms/main',
  ],
  'oidc-client': ['stats', ({ oidc }) => oidc?.client, 'stats'],
  'oidc-secret-file': ['/run/secret', ({ oidc }) => oidc?.secretFile, '/run/secret'],
  'oidc-name': ['Acme', ({ oidc }) => oidc?.name, 'Acme'],
  'oidc-claim': [
    'groups=a:b:viewer, web team:manager',
    ({ oidc }) => [oidc?.claim?.name, ...(oidc?.claim?.roles ?? [])],
    ['groups', ['a:b', 'viewer'], ['web team', 'manager']],
  ],
  'auth-header': ['Remote-Email', ({ authHeader }) => authHeader, 'remote-email'],
  'password-sign-in': ['off', ({ passwordSignIn }) => passwordSignIn, false],
  port: ['8080', ({ port }) => port, 8080],
  host: ['::1', ({ host }) => host, '::1'],
  'base-url': ['https://stats.example.com', ({ baseUrl }) => baseUrl, 'https://stats.example.com'],
  'trusted-proxies': ['10.0.0.0/8', ({ trust }) => trust('10.1.2.3'), true],
  'exclude-addresses': ['2001:db8::/32', ({ excluded }) => excluded('2001:db8::1'), true],
  'rate-limit': ['7', ({ rateLimit }) => rateLimit, 7],
  'smtp-url': [
    'smtps://user:password@mail.example.com',
    ({ smtpUrl }) => smtpUrl,
    'smtps://user:password@mail.example.com',
  ],
  'mail-from': ['daybook@example.com', ({ mailFrom }) => mailFrom, 'daybook@example.com'],
};

test('without flags and variables everything has its fallback', () => {
  const { trust, excluded, ...config } = readConfig({}, {});
  assert.deepEqual(config, {
    db: './daybook.db',
    engine: undefined,
    primary: undefined,
    secretFile: undefined,
    outbox: './outbox.db',
    ack: 'disk',
    port: 8377,
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:8377',
    excludedText: '',
    rateLimit: 120,
    smtpUrl: undefined,
    mailFrom: undefined,
    script: '/day',
    otherScripts: [],
    flood: 20,
    dayCapacity: 20_000_000,
    geoip: undefined,
    countryHeader: undefined,
    spamList: undefined,
    backups: './daybook.db.backups',
    keepBackups: 7,
    parquet: undefined,
    metricsToken: undefined,
    webhookUrl: undefined,
    webhookSecret: undefined,
    webhookSecretFile: undefined,
    channels: 'public',
    oidc: undefined,
    authHeader: undefined,
    passwordSignIn: true,
    privacyPage: 'signed-in',
    sql: false,
    mcp: false,
  });
  assert.equal(trust('127.0.0.1'), false);
  assert.equal(excluded('127.0.0.1'), false);
});

test('each setting is a flag and a variable, and the flag wins', () => {
  for (const name of OPTION_NAMES) {
    const [value, read, expected] = SETTINGS[name];
    const variable = nameVariable(name);
    assert.notDeepEqual(read(readConfig(COMPANIONS, {})), name === 'mail-from' ? undefined : expected, name);
    assert.deepEqual(read(readConfig({ ...COMPANIONS, [name]: value }, {})), expected, name);
    const { [name]: _, ...others } = COMPANIONS;
    assert.deepEqual(read(readConfig(others, { [variable]: value })), expected, name);
    assert.deepEqual(read(readConfig({ ...COMPANIONS, [name]: value }, { [variable]: 'nonsense!' })), expected, name);
  }
  assert.deepEqual(OPTION_NAMES.map(nameVariable), [
    'DAYBOOK_DB',
    'DAYBOOK_ENGINE',
    'DAYBOOK_PRIMARY',
    'DAYBOOK_SECRET_FILE',
    'DAYBOOK_OUTBOX',
    'DAYBOOK_ACK',
    'DAYBOOK_PORT',
    'DAYBOOK_HOST',
    'DAYBOOK_BASE_URL',
    'DAYBOOK_TRUSTED_PROXIES',
    'DAYBOOK_EXCLUDE_ADDRESSES',
    'DAYBOOK_RATE_LIMIT',
    'DAYBOOK_SMTP_URL',
    'DAYBOOK_MAIL_FROM',
    'DAYBOOK_SCRIPT',
    'DAYBOOK_FLOOD',
    'DAYBOOK_DAY_CAPACITY',
    'DAYBOOK_GEOIP',
    'DAYBOOK_COUNTRY_HEADER',
    'DAYBOOK_SPAM_LIST',
    'DAYBOOK_BACKUPS',
    'DAYBOOK_KEEP_BACKUPS',
    'DAYBOOK_PARQUET',
    'DAYBOOK_METRICS_TOKEN',
    'DAYBOOK_WEBHOOK_URL',
    'DAYBOOK_WEBHOOK_SECRET_FILE',
    'DAYBOOK_CHANNELS_PRIVATE',
    'DAYBOOK_OIDC_ISSUER',
    'DAYBOOK_OIDC_CLIENT',
    'DAYBOOK_OIDC_SECRET_FILE',
    'DAYBOOK_OIDC_NAME',
    'DAYBOOK_OIDC_CLAIM',
    'DAYBOOK_AUTH_HEADER',
    'DAYBOOK_PASSWORD_SIGN_IN',
    'DAYBOOK_PRIVACY_PAGE',
    'DAYBOOK_SQL',
    'DAYBOOK_MCP',
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
    assert.equal(refused({}, { [typed]: '1' }).message, `unknown variable ${typed}. Did you mean ${name}?`);
    // Even where a flag makes the variable superfluous.
    refused({ port: '1' }, { [typed]: '1' });
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

test('a configuration is frozen', () => {
  const config = readConfig({ port: '0' }, {});
  assert.ok(Object.isFrozen(config));
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
});

test('so is the one with the port that was found', () => {
  const config = withPort(readConfig({ port: '0' }, {}), 40_123);
  assert.ok(Object.isFrozen(config));
});

test('a provider needs its client and a URL with https, and its other settings need the provider', () => {
  const issuer = 'https://auth.example.com';
  const said = (settings: Settings) => refused(settings).message;
  assert.equal(said({ 'oidc-issuer': issuer }), '--oidc-issuer needs --oidc-client');
  for (const name of ['oidc-client', 'oidc-secret-file', 'oidc-name', 'oidc-claim'] as const) {
    assert.equal(said({ [name]: 'x' }), `--${name} needs --oidc-issuer`);
  }
  for (const wrong of [
    'auth.example.com',
    'http://auth.example.com',
    'https://a:b@auth.example.com',
    `${issuer}?x=1`,
  ]) {
    assert.match(said({ 'oidc-issuer': wrong, 'oidc-client': 'x' }), /^--oidc-issuer takes a URL such as /);
  }
  for (const claim of [
    'groups',
    '=a:viewer',
    'groups=',
    'groups=a',
    'groups=a:owner',
    'groups=a:viewer,',
    'groups=:viewer',
  ]) {
    assert.match(
      said({ 'oidc-issuer': issuer, 'oidc-client': 'x', 'oidc-claim': claim }),
      /^--oidc-claim takes a list/,
    );
  }
  assert.equal(said({ 'password-sign-in': 'off' }), '--password-sign-in off needs --oidc-issuer or --auth-header');
  const { oidc } = readConfig({ 'oidc-issuer': 'http://localhost:9000/a', 'oidc-client': 'x' }, {});
  assert.deepEqual([oidc?.issuer, oidc?.name], ['http://localhost:9000/a', 'localhost']);
});

test('a header with e-mail addresses needs trusted proxies, and a name that nothing else has', () => {
  assert.equal(refused({ 'auth-header': 'Remote-Email' }).message, '--auth-header needs --trusted-proxies');
  for (const name of ['Remote_Email', 'Remote Email', 'Cookie', 'authorization', 'Host', '-', 'a:b']) {
    const { message } = refused({ 'auth-header': name, 'trusted-proxies': '10.0.0.1' });
    assert.equal(message, `--auth-header takes a name such as Remote-Email, not "${name}"`);
  }
});
