// The table of all settings. Each setting is a flag --name and an environment variable DAYBOOK_NAME. If both are given,
// the flag wins.
//
// A row has a name for its value, a default and a help text. `daybook serve --help`, the errors of `config.ts` and the
// settings in docs/configure.md are made from the table. For example, `port` is --port 8377 or DAYBOOK_PORT=8377. A row
// without `value` is a switch. Its flag turns it on, and its variable is `on` or `off`.

type Option = { value?: string; fallback: string; help: string };

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
    help: 'when a collector answers: once a hit is on its disk, with replicas once each of these has it, or with reachable once those that answer have it',
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

export const COLLECTOR_ONLY: readonly OptionName[] = ['primary', 'secret-file', 'outbox', 'ack'];

export const SERVER_OPTIONS: readonly OptionName[] = OPTION_NAMES.filter((name) => !COLLECTOR_ONLY.includes(name));

export const nameVariable = (name: string): string => `DAYBOOK_${name.replaceAll('-', '_').toUpperCase()}`;
