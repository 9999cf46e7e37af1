// The table of all settings. Each setting is a flag --name and an environment variable DAYBOOK_NAME. If both are given,
// the flag overrides the variable.
//
// A row has a name for its value, a default and a help text. `daybook serve --help` is written from the table, and
// `config.ts` reads the settings with it. docs/configure.md must list each setting (test/documents/documents.test.ts).
// For example, `port` is --port 8377 or DAYBOOK_PORT=8377. A row without `value` is a switch. Its flag turns it on, and
// its variable is `on` or `off`.

type Option = { value?: string; fallback: string; help: string };

export const OPTIONS = {
  db: { value: 'FILE', fallback: './daybook.db', help: 'database file with all data' },
  engine: {
    value: 'URL',
    fallback: '',
    help: 'ClickHouse cluster that stores the hits instead of the file: clickhouse://user:password@one:8123,two:8123/daybook?cluster=NAME',
  },
  primary: {
    value: 'URL',
    fallback: '',
    help: 'server from which a collector gets its settings, such as https://stats.example.com',
  },
  'secret-file': {
    value: 'FILE',
    fallback: '',
    help: 'file with the secret of a collector, from daybook collectors add',
  },
  outbox: {
    value: 'FILE',
    fallback: './outbox.db',
    help: 'file in which a collector keeps unsent hits',
  },
  ack: {
    value: 'WHEN',
    fallback: 'disk',
    help: 'when a collector confirms a hit: on its disk (disk), on every replica (replicas), or on every replica that answers (reachable)',
  },
  port: { value: 'N', fallback: '8377', help: 'port to listen on (0: any free port)' },
  host: { value: 'IP', fallback: '127.0.0.1', help: 'IP address to listen on' },
  'base-url': {
    value: 'URL',
    fallback: '',
    help: 'public URL of the server, such as https://stats.example.com (default: host and port)',
  },
  'trusted-proxies': {
    value: 'LIST',
    fallback: '',
    help: 'IP addresses and CIDR blocks of trusted proxies, separated by commas',
  },
  'exclude-addresses': {
    value: 'LIST',
    fallback: '',
    help: 'IP addresses and CIDR blocks whose visits are not counted, separated by commas',
  },
  'rate-limit': { value: 'N', fallback: '120', help: 'API requests per minute and token (0: no limit)' },
  'smtp-url': { value: 'URL', fallback: '', help: 'mail server, such as smtps://user:password@mail.example.com' },
  'mail-from': { value: 'EMAIL', fallback: '', help: 'sender of e-mails, needed with --smtp-url' },
  script: {
    value: 'LIST',
    fallback: '/day',
    help: 'path to which the script sends hits. The script is at this path with .js. You can list more paths, separated by commas. Snippets have the first one, and /day always works too',
  },
  flood: {
    value: 'N',
    fallback: '20',
    help: 'hits per second and IP address, with bursts up to three times that (0: no limit)',
  },
  'day-capacity': {
    value: 'N',
    fallback: '20000000',
    help: 'hits per day and site. The server drops further hits (0: no limit)',
  },
  geoip: { value: 'FILE', fallback: '', help: 'mmdb file with countries or cities (default: the bundled one)' },
  'country-header': { value: 'NAME', fallback: '', help: 'header in which a trusted proxy sends the country' },
  'spam-list': {
    value: 'FILE',
    fallback: '',
    help: 'file with more referrer spam domains, one per line',
  },
  backups: {
    value: 'DIR',
    fallback: '',
    help: 'folder for the nightly backups (default: FILE.backups next to the file)',
  },
  'keep-backups': { value: 'N', fallback: '7', help: 'how many nightly backups to keep (0: no backups)' },
  parquet: {
    value: 'FOLDER',
    fallback: '',
    help: 'folder for Parquet files of all past days, such as FOLDER/example.com/2026-01-05.parquet (default: none)',
  },
  'metrics-token': {
    value: 'TOKEN',
    fallback: '',
    help: 'Bearer token for /metrics, at least 16 characters. Without a token, /metrics is off',
  },
  'webhook-url': {
    value: 'URL',
    fallback: '',
    help: 'URL that also receives alerts and reports, such as https://hooks.slack.com/services/…',
  },
  'webhook-secret-file': {
    value: 'FILE',
    fallback: '',
    help: 'file with the secret that signs webhook messages. Or set DAYBOOK_WEBHOOK_SECRET to the secret',
  },
  'channels-private': {
    fallback: 'off',
    help: 'let notification channels of sites use URLs in private networks, such as http://gotify.lan',
  },
  'oidc-issuer': {
    value: 'URL',
    fallback: '',
    help: 'provider that signs people in by OpenID Connect, such as https://auth.example.com/realms/main',
  },
  'oidc-client': { value: 'ID', fallback: '', help: 'ID of this server at the provider, needed with --oidc-issuer' },
  'oidc-secret-file': {
    value: 'FILE',
    fallback: '',
    help: 'file with the secret of this server at the provider (default: a public client without a secret)',
  },
  'oidc-name': {
    value: 'NAME',
    fallback: '',
    help: 'name of the provider on the sign-in page (default: its host name)',
  },
  'oidc-claim': {
    value: 'CLAIM=VALUE:ROLE,…',
    fallback: '',
    help: 'claim that gives new people a role, such as groups=analysts:viewer,web-team:manager',
  },
  'auth-header': {
    value: 'NAME',
    fallback: '',
    help: 'header in which a trusted proxy sends the e-mail address of the person, such as Remote-Email',
  },
  'password-sign-in': {
    value: 'WORD',
    fallback: 'on',
    help: 'whether people may sign in with a password or a passkey of this server: on or off',
  },
  'privacy-page': {
    value: 'WHO',
    fallback: 'signed-in',
    help: 'who can open the page /privacy: people who are signed in (signed-in), or everybody (public)',
  },
  sql: {
    fallback: 'off',
    help: 'let the owner of the server ask in SQL at /api/v1/sql, with a token that may do everything',
  },
  mcp: { fallback: 'off', help: 'let AI assistants read statistics at /mcp, with tokens that can read' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

export const COLLECTOR_ONLY: readonly OptionName[] = ['primary', 'secret-file', 'outbox', 'ack'];

export const SERVER_OPTIONS: readonly OptionName[] = OPTION_NAMES.filter((name) => !COLLECTOR_ONLY.includes(name));

export const nameVariable = (name: string): string => `DAYBOOK_${name.replaceAll('-', '_').toUpperCase()}`;
