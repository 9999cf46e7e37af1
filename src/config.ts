import * as v from 'valibot';
import type { AddressList } from './lib/address.ts';
import { cached } from './lib/cache.ts';
import { Refusal, USAGE } from './lib/errors.ts';
import { Email } from './lib/fields.ts';
import { nearest } from './lib/nearest.ts';
import {
  addresses,
  mailServer,
  oneOf,
  origin,
  primary,
  scriptPath,
  secret,
  WEBHOOK_SECRET,
  webhook,
  wholeNumber,
} from './values.ts';

export type Config = Readonly<{
  db: string;
  /** A cluster that keeps the hits in place of the file. */
  engine: string | undefined;
  /** For a collector: the origin of its primary, the file of its secret, and its own file. */
  primary: string | undefined;
  secretFile: string | undefined;
  outbox: string;
  /** Whether a collector answers only when every replica has a hit. */
  isShipped: boolean;
  port: number;
  host: string;
  /** The public origin of the server, with which links in mails and snippets begin. */
  baseUrl: string;
  trust: AddressList;
  /** The addresses whose hits are not counted. */
  excluded: AddressList;
  /** API requests per minute and token; 0 means no limit. */
  rateLimit: number;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** The path to which the script posts; the script itself is this path with .js. */
  script: string;
  /** Hits per second and address; 0 means no limit. */
  flood: number;
  /** Hits that a day of a site may have; 0 means no limit. */
  dayCapacity: number;
  geoip: string | undefined;
  /** The header in which a trusted proxy gives the country. */
  countryHeader: string | undefined;
  spamList: string | undefined;
  /** The folder of the daily copies. */
  backups: string;
  /** How many daily copies are kept; 0 switches them off. */
  keepBackups: number;
  /** The Bearer token for /metrics, which is off without one. */
  metricsToken: string | undefined;
  /** Where alerts and reports are sent besides mails. */
  webhookUrl: string | undefined;
  /** What signs them: the secret itself, or the file in which it is. */
  webhookSecret: string | undefined;
  webhookSecretFile: string | undefined;
  /** Whether programs may ask by the Model Context Protocol. */
  mcp: boolean;
}>;

/** One without a value is a switch: on with the flag, on or off in the variable. */
type Option = { value?: string; fallback: string; help: string };

/** The table of settings: each is a flag --name and a variable DAYBOOK_NAME. The flag wins. */
export const OPTIONS = {
  db: { value: 'FILE', fallback: './daybook.db', help: 'the one file that holds everything' },
  engine: {
    value: 'URL',
    fallback: '',
    help: 'a ClickHouse cluster that keeps the hits in place of the file: clickhouse://user:password@one:8123,two:8123/daybook?cluster=NAME',
  },
  primary: {
    value: 'URL',
    fallback: '',
    help: 'the server that a collector asks for its settings, such as https://stats.example.com',
  },
  'secret-file': {
    value: 'FILE',
    fallback: '',
    help: 'file with the secret of a collector, as daybook collectors add prints it',
  },
  outbox: {
    value: 'FILE',
    fallback: './outbox.db',
    help: 'the one file in which a collector keeps what it has not sent yet',
  },
  ack: {
    value: 'WHEN',
    fallback: 'disk',
    help: 'when a collector answers: once a hit is on its disk, or with replicas once each of these has it',
  },
  port: { value: 'N', fallback: '8377', help: 'port to listen on; 0 takes a free one' },
  host: { value: 'ADDRESS', fallback: '127.0.0.1', help: 'address to listen on' },
  'base-url': {
    value: 'URL',
    fallback: '',
    help: 'where people reach the server, such as https://stats.example.com (default: host and port)',
  },
  'trusted-proxies': {
    value: 'LIST',
    fallback: '',
    help: 'addresses and CIDR blocks whose X-Forwarded-For is believed, separated by commas',
  },
  'exclude-addresses': {
    value: 'LIST',
    fallback: '',
    help: 'addresses and CIDR blocks whose visits are not counted, such as your own, separated by commas',
  },
  'rate-limit': { value: 'N', fallback: '120', help: 'API requests per minute and token; 0 means no limit' },
  'smtp-url': { value: 'URL', fallback: '', help: 'mail server, such as smtps://user:password@mail.example.com' },
  'mail-from': { value: 'ADDRESS', fallback: '', help: 'sender of the mails; needed with --smtp-url' },
  script: { value: 'PATH', fallback: '/day', help: 'path to which the script posts; the script is this path with .js' },
  flood: {
    value: 'N',
    fallback: '20',
    help: 'hits per second and address, bursts up to three times that; 0 means no limit',
  },
  'day-capacity': {
    value: 'N',
    fallback: '20000000',
    help: 'hits that a day of a site may have, beyond which they are dropped; 0 means no limit',
  },
  geoip: { value: 'FILE', fallback: '', help: 'mmdb file with countries (default: the bundled one)' },
  'country-header': { value: 'NAME', fallback: '', help: 'header in which a trusted proxy gives the country' },
  'spam-list': {
    value: 'FILE',
    fallback: '',
    help: 'file of referrer spam domains, one per line; added to the built-in list',
  },
  backups: { value: 'DIR', fallback: '', help: 'where the daily copies go (default: FILE.backups beside the file)' },
  'keep-backups': { value: 'N', fallback: '7', help: 'how many daily copies are kept; 0 makes none' },
  'metrics-token': {
    value: 'TOKEN',
    fallback: '',
    help: 'Bearer token for /metrics, which is off without one; at least 16 characters',
  },
  'webhook-url': {
    value: 'URL',
    fallback: '',
    help: 'where alerts and reports are sent too, such as https://hooks.slack.com/services/…',
  },
  'webhook-secret-file': {
    value: 'FILE',
    fallback: '',
    help: 'file with the secret that signs them; or the secret itself in DAYBOOK_WEBHOOK_SECRET',
  },
  mcp: { fallback: 'off', help: 'let assistants read statistics at /mcp, with tokens that may read' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** Those of a collector, which has no file of settings. */
export const COLLECTOR_ONLY: readonly OptionName[] = ['primary', 'secret-file', 'outbox', 'ack'];

/** Those of a server. */
export const SERVER_OPTIONS: readonly OptionName[] = OPTION_NAMES.filter((name) => !COLLECTOR_ONLY.includes(name));

export const variableOf = (name: string): string => `DAYBOOK_${name.replaceAll('-', '_').toUpperCase()}`;

/** The server's URL if --base-url is not set. Browsers cannot open 0.0.0.0 and ::, so localhost replaces them. */
export function ownUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** With --port 0 the port is known only once the server listens. */
export const withPort = (config: Config, port: number): Config =>
  config.port === port
    ? config
    : Object.freeze({
        ...config,
        port,
        baseUrl: config.baseUrl.replace(ownUrl(config.host, config.port), ownUrl(config.host, port)),
      });

function isOn(name: OptionName, flag: string | undefined, variable: string | undefined): boolean {
  const word = flag === undefined ? variable || 'off' : flag || 'on';
  if (word !== 'on' && word !== 'off') {
    throw new Refusal(`--${name} takes no value, and ${variableOf(name)} on or off, not "${word}"`, USAGE);
  }
  return word === 'on';
}

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text);

/** Builds the Config from flags and environment; no other code reads either. */
export function readConfig(
  flags: Partial<Record<OptionName, string>>,
  environment: Record<string, string | undefined>,
): Config {
  const variables = [...OPTION_NAMES.map(variableOf), WEBHOOK_SECRET];
  for (const name of Object.keys(environment)) {
    if (name.startsWith('DAYBOOK_') && !variables.includes(name)) {
      throw new Refusal(`unknown variable ${name}; did you mean ${nearest(name, variables)}?`, USAGE);
    }
  }
  const text = (name: OptionName) => flags[name] ?? environment[variableOf(name)] ?? OPTIONS[name].fallback;

  const smtpUrl = text('smtp-url');
  const mailFrom = text('mail-from');
  // A name may stand before the address: Daybook <daybook@example.com>.
  if (mailFrom !== '' && !v.is(Email, /^[^<>\r\n]*<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom)) {
    throw new Refusal(`--mail-from takes an address such as daybook@example.com, not "${mailFrom}"`, USAGE);
  }
  if (smtpUrl !== '' && mailFrom === '') throw new Refusal('--smtp-url needs --mail-from', USAGE);

  const webhookSecret = orUndefined(environment[WEBHOOK_SECRET] ?? '');
  const webhookSecretFile = orUndefined(text('webhook-secret-file'));
  const hasSecret = webhookSecret !== undefined || webhookSecretFile !== undefined;

  const host = text('host');
  if (host === '')
    throw new Refusal('--host takes an address such as 127.0.0.1; for all of them, 0.0.0.0 or ::', USAGE);
  const port = wholeNumber('port', text('port'), 65_535);
  return Object.freeze({
    db: text('db'),
    engine: orUndefined(text('engine')),
    primary: orUndefined(text('primary')) && primary(text('primary')),
    secretFile: orUndefined(text('secret-file')),
    outbox: text('outbox'),
    isShipped: oneOf('ack', text('ack'), ['disk', 'replicas']) === 'replicas',
    port,
    host,
    baseUrl: text('base-url') === '' ? ownUrl(host, port) : origin(text('base-url')),
    // Nearly every request comes from the same few proxies, and each look into the list makes an object outside of JavaScript.
    trust: cached(addresses('trusted-proxies', text('trusted-proxies')), { size: 1_000 }),
    // Not cached, because these addresses are those of visitors, which nothing keeps.
    excluded: addresses('exclude-addresses', text('exclude-addresses')),
    rateLimit: wholeNumber('rate-limit', text('rate-limit'), 1_000_000),
    smtpUrl: orUndefined(smtpUrl) && mailServer(smtpUrl),
    mailFrom: orUndefined(mailFrom),
    script: scriptPath(text('script')),
    flood: wholeNumber('flood', text('flood'), 1_000_000),
    dayCapacity: wholeNumber('day-capacity', text('day-capacity'), 999_999_999),
    geoip: orUndefined(text('geoip')),
    countryHeader: orUndefined(text('country-header').toLowerCase()),
    spamList: orUndefined(text('spam-list')),
    backups: text('backups') === '' ? `${text('db')}.backups` : text('backups'),
    keepBackups: wholeNumber('keep-backups', text('keep-backups'), 1_000),
    metricsToken: orUndefined(text('metrics-token')) && secret(text('metrics-token')),
    webhookUrl: orUndefined(text('webhook-url')) && webhook(text('webhook-url'), hasSecret),
    webhookSecret,
    webhookSecretFile,
    mcp: isOn('mcp', flags.mcp, environment.DAYBOOK_MCP),
  });
}
