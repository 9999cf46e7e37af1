// The configuration of a process is read once, from flags and environment variables.
//
// A flag overrides a variable, and a variable overrides the default in `options.ts`. For example, `--port 8080`
// overrides DAYBOOK_PORT=8081. An unknown variable that begins with DAYBOOK_ is an error, and the message suggests the
// most similar name. Therefore a mistyped setting is never ignored.
//
// The result is frozen. No other code reads the environment, and test/floors.test.ts checks this. Commands call
// `readConfig`.

import * as v from 'valibot';
import { ACKS, type Ack } from './lib/ack.ts';
import {
  type OidcSettings,
  readAddresses,
  readClaimRoles,
  readIssuer,
  readMailServer,
  readOrigin,
  readPrimary,
  readScriptPaths,
  readSecret,
  readWebhook,
  readWholeNumber,
  readWord,
  WEBHOOK_SECRET,
} from './lib/config-values.ts';
import { Refusal, USAGE } from './lib/errors.ts';
import type { AddressList } from './lib/http/address.ts';
import { Email } from './lib/http/fields.ts';
import { findNearest } from './lib/nearest.ts';
import { nameVariable, OPTION_NAMES, OPTIONS, type OptionName } from './options.ts';

export type Config = Readonly<{
  db: string;
  /** The URL of a ClickHouse cluster that stores the hits. Without a URL, the database file stores the hits. */
  engine: string | undefined;
  /**
   * The next three settings are only for a collector. `primary` is the URL of the primary. `secretFile` is the file
   * with the secret that the collector sends to the primary. `outbox` is the file with hits that were not sent yet.
   */
  primary: string | undefined;
  secretFile: string | undefined;
  outbox: string;
  /**
   * When a collector answers a hit. With `disk`, its own disk must have stored the hit. With the other values, the
   * cluster's servers must have stored the hit (lib/ack.ts).
   */
  ack: Ack;
  port: number;
  host: string;
  /** The public URL of the server. Links in mails and the script tag of a site begin with this URL. */
  baseUrl: string;
  trust: AddressList;
  /** The IP addresses whose hits are not counted. */
  excluded: AddressList;
  /** API requests per minute and token. A session may send ten times as many. 0 means no limit. */
  rateLimit: number;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /**
   * The path to which the tracking script posts messages, such as /day. The path of the script itself ends in .js, such
   * as /day.js.
   */
  script: string;
  /**
   * More paths to which pages may post messages. The script is also at each of these paths with .js at the end. Pages
   * with an older script tag use these paths. If `script` is not /day, this list contains /day.
   */
  otherScripts: readonly string[];
  /**
   * The most hits, heartbeats and web vitals per second of one network: an IPv4 address, or the first 64 bits of an
   * IPv6 address. A short burst may have three times as many. Further messages are dropped. 0 means no limit.
   */
  flood: number;
  /**
   * The most hits of one site on one day. Without a cluster, heartbeats count too. Further messages are dropped. 0
   * means no limit.
   */
  dayCapacity: number;
  /** The setting `exclude-addresses` as it was written. The process that reads uploaded files gets this text. */
  excludedText: string;
  geoip: string | undefined;
  /** The name, in lower case, of the header in which a trusted proxy sends the country of a visitor. */
  countryHeader: string | undefined;
  spamList: string | undefined;
  backups: string;
  /** How many daily backups are kept. 0 means that no backup is made. */
  keepBackups: number;
  /** The folder for Parquet files of sealed days. Without a folder, no such files are written. */
  parquet: string | undefined;
  /** The token with which a program may read /metrics. Without a token, /metrics does not exist. */
  metricsToken: string | undefined;
  /** The URL to which alerts and reports are sent, in addition to mails. */
  webhookUrl: string | undefined;
  /** The secret that signs messages to the webhook. The secret is either here, or in the file `webhookSecretFile`. */
  webhookSecret: string | undefined;
  webhookSecretFile: string | undefined;
  /**
   * In which networks the notification channels of sites may be. `private` also allows private networks, such as
   * `http://gotify.lan`. With `none`, as in the demo, nothing is sent to channels.
   */
  channels: 'public' | 'private' | 'none';
  /** The provider that signs people in by OpenID Connect. */
  oidc: OidcSettings | undefined;
  /** The name, in lower case, of the header in which a trusted proxy sends the e-mail address of a person. */
  authHeader: string | undefined;
  /** False if only the provider or a proxy signs people in. */
  passwordSignIn: boolean;
  /** Says whether everybody may open the page /privacy, or only people who are signed in. */
  privacyPage: 'signed-in' | 'public';
  /** True if the owner of the server may send SQL statements to the API. */
  sql: boolean;
  /** True if AI assistants may read statistics at /mcp. */
  mcp: boolean;
}>;

export function readConfig(
  flags: Partial<Record<OptionName, string>>,
  environment: Record<string, string | undefined>,
): Config {
  assertKnownVariables(environment);
  const text = (name: OptionName) => flags[name] ?? environment[nameVariable(name)] ?? OPTIONS[name].fallback;

  const smtpUrl = text('smtp-url');
  const mailFrom = text('mail-from');
  // The setting may have a name before the e-mail address: Daybook <daybook@example.com>.
  if (mailFrom !== '' && !v.is(Email, /^[^<>\r\n]*<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom)) {
    throw new Refusal(`--mail-from takes an e-mail address such as daybook@example.com, not "${mailFrom}"`, USAGE);
  }
  if (smtpUrl !== '' && mailFrom === '') throw new Refusal('--smtp-url needs --mail-from', USAGE);

  const webhookSecret = orUndefined(environment[WEBHOOK_SECRET] ?? '');
  const webhookSecretFile = orUndefined(text('webhook-secret-file'));
  const hasSecret = webhookSecret !== undefined || webhookSecretFile !== undefined;

  const host = text('host');
  if (host === '')
    throw new Refusal('--host takes an IP address such as 127.0.0.1. For all IP addresses, use 0.0.0.0 or ::', USAGE);
  const port = readWholeNumber('port', text('port'), 65_535);
  const [script, ...otherScripts] = readScriptPaths(text('script'), OPTIONS.script.fallback);
  return Object.freeze({
    db: text('db'),
    engine: orUndefined(text('engine')),
    primary: orUndefined(text('primary')) && readPrimary(text('primary')),
    secretFile: orUndefined(text('secret-file')),
    outbox: text('outbox'),
    ack: readWord('ack', text('ack'), ACKS),
    port,
    host,
    baseUrl: text('base-url') === '' ? ownUrl(host, port) : readOrigin(text('base-url')),
    trust: readAddresses('trusted-proxies', text('trusted-proxies')),
    excluded: readAddresses('exclude-addresses', text('exclude-addresses')),
    excludedText: text('exclude-addresses'),
    rateLimit: readWholeNumber('rate-limit', text('rate-limit'), 1_000_000),
    smtpUrl: orUndefined(smtpUrl) && readMailServer(smtpUrl),
    mailFrom: orUndefined(mailFrom),
    script,
    otherScripts,
    flood: readWholeNumber('flood', text('flood'), 1_000_000),
    dayCapacity: readWholeNumber('day-capacity', text('day-capacity'), 999_999_999),
    geoip: orUndefined(text('geoip')),
    countryHeader: orUndefined(text('country-header').toLowerCase()),
    spamList: orUndefined(text('spam-list')),
    backups: text('backups') === '' ? `${text('db')}.backups` : text('backups'),
    keepBackups: readWholeNumber('keep-backups', text('keep-backups'), 1_000),
    parquet: orUndefined(text('parquet')),
    metricsToken: orUndefined(text('metrics-token')) && readSecret(text('metrics-token')),
    webhookUrl: orUndefined(text('webhook-url')) && readWebhook(text('webhook-url'), hasSecret),
    webhookSecret,
    webhookSecretFile,
    channels: isOn('channels-private', flags['channels-private'], environment.DAYBOOK_CHANNELS_PRIVATE)
      ? 'private'
      : 'public',
    oidc: readOidc(text),
    authHeader: readAuthHeader(text),
    passwordSignIn: readPasswordSignIn(text),
    privacyPage: readWord('privacy-page', text('privacy-page'), ['signed-in', 'public']),
    sql: isOn('sql', flags.sql, environment.DAYBOOK_SQL),
    mcp: isOn('mcp', flags.mcp, environment.DAYBOOK_MCP),
  });
}

/** Refuses a variable that belongs to no setting. Otherwise, nobody would notice a mistyped name. */
function assertKnownVariables(environment: Record<string, string | undefined>): void {
  const variables = [...OPTION_NAMES.map(nameVariable), WEBHOOK_SECRET];
  for (const name of Object.keys(environment)) {
    if (name.startsWith('DAYBOOK_') && !variables.includes(name)) {
      const suggestion = findNearest(name, variables);
      const more = suggestion === undefined ? '. See daybook serve --help' : `. Did you mean ${suggestion}?`;
      throw new Refusal(`unknown variable ${name}${more}`, USAGE);
    }
  }
}

/**
 * Makes the URL of the server for a start without --base-url. Browsers cannot open 0.0.0.0 and ::, therefore localhost
 * replaces both.
 */
export function ownUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Adds the port that the server listens on to the configuration. With --port 0, the system chooses the port when the
 * server begins to listen.
 */
export const withPort = (config: Config, port: number): Config =>
  config.port === port
    ? config
    : Object.freeze({
        ...config,
        port,
        baseUrl: config.baseUrl.replace(ownUrl(config.host, config.port), ownUrl(config.host, port)),
      });

function readOidc(text: (name: OptionName) => string): OidcSettings | undefined {
  const [issuer, client] = [text('oidc-issuer'), text('oidc-client')];
  if (issuer === '') {
    const own = (['oidc-client', 'oidc-secret-file', 'oidc-name', 'oidc-claim'] as const).find(
      (name) => text(name) !== '',
    );
    if (own) throw new Refusal(`--${own} needs --oidc-issuer`, USAGE);
    return undefined;
  }
  if (client === '') throw new Refusal('--oidc-issuer needs --oidc-client', USAGE);
  const url = readIssuer(issuer);
  return {
    issuer: url.href,
    client,
    secretFile: orUndefined(text('oidc-secret-file')),
    name: text('oidc-name') || url.hostname,
    claim: text('oidc-claim') === '' ? undefined : readClaimRoles(text('oidc-claim')),
  };
}

function readPasswordSignIn(text: (name: OptionName) => string): boolean {
  const isAllowed = readWord('password-sign-in', text('password-sign-in'), ['on', 'off']) === 'on';
  if (!isAllowed && text('oidc-issuer') === '' && text('auth-header') === '') {
    throw new Refusal('--password-sign-in off needs --oidc-issuer or --auth-header', USAGE);
  }
  return isAllowed;
}

function readAuthHeader(text: (name: OptionName) => string): string | undefined {
  const name = text('auth-header').toLowerCase();
  if (name === '') return undefined;
  // Many programs read a minus and an underscore as the same character. If the proxy removes only the exact name from
  // requests, a client could send the name with the other character. Therefore a name with an underscore is refused.
  if (!/^[a-z][a-z0-9-]*$/.test(name) || /^(?:cookie|authorization|host|x-forwarded-for)$/.test(name)) {
    throw new Refusal(`--auth-header takes a name such as Remote-Email, not "${text('auth-header')}"`, USAGE);
  }
  if (text('trusted-proxies').trim() === '') throw new Refusal('--auth-header needs --trusted-proxies', USAGE);
  return name;
}

function isOn(name: OptionName, flag: string | undefined, variable: string | undefined): boolean {
  const word = flag === undefined ? variable || 'off' : flag || 'on';
  if (word !== 'on' && word !== 'off') {
    throw new Refusal(`--${name} takes no value, and ${nameVariable(name)} on or off, not "${word}"`, USAGE);
  }
  return word === 'on';
}

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text);
