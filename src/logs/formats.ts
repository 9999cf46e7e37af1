import { Refusal } from '../lib/errors.ts';
import { DAY } from '../lib/time.ts';

/** What a line says of a request. There is no host where the log is that of one site. */
export type LogEntry = {
  agent: string;
  target: string;
  host?: string;
  second: number;
  ip?: string | undefined;
  method?: string | undefined;
  status?: number | undefined;
  referrer?: string | undefined;
};

type Parser = {
  /** Undefined for a line that is not in the format. */
  parse(line: string): LogEntry | undefined;
  /** For lines that name no crawler: notices most of what is not in the format, at a tenth of the cost. */
  resembles(line: string): boolean;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** [Host] address identity user [time] "request" status size "referrer" "agent"; more may follow. */
const COMBINED =
  /^(\S+) (\S+) [^[]*\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\S+) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

/** nginx and Apache escape quotes, backslashes and the bytes that are not ASCII. */
const unescaped = (text: string): string =>
  text.replace(/(?:\\x[0-9A-Fa-f]{2})+|\\(.)/g, (bytes, character?: string) =>
    character === undefined ? Buffer.from(bytes.replaceAll('\\x', ''), 'hex').toString() : character,
  );

function parseCombined(line: string): LogEntry | undefined {
  const match = COMBINED.exec(line);
  if (!match) return undefined;
  const [, first = '', second = '', day, name = '', year, hour, minute, of, sign, hours, minutes, ...words] = match;
  const [request = '', status, referrer = '', agent = ''] = words;
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(of)) / 1000;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const [, method, target = ''] = /^(\S+) (.*?)(?: HTTP\/[\d.]+)?$/.exec(unescaped(request)) ?? [];
  // An address is followed by the identity, which is always "-", or by a comma and more addresses; a host by an address.
  const sender = second === '-' || first.endsWith(',') ? { ip: first.replace(/,$/, '') } : { host: first, ip: second };
  return {
    agent: unescaped(agent),
    target,
    ...sender,
    second: time - offset,
    method,
    status: Number(status),
    referrer: referrer === '-' ? '' : unescaped(referrer),
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const secondOf = (time: unknown): number =>
  typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) / 1000 : Number.NaN;

/** Caddy writes other messages into the same log, and a failed request a second time, as an error. */
const OTHER_MESSAGE: LogEntry = { agent: '', target: '', second: 0 };

type CaddyRequest = Record<'host' | 'uri' | 'method' | 'client_ip' | 'remote_ip', unknown> & {
  headers?: Record<string, unknown>;
};

const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOrNone = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function parseCaddy(line: string): LogEntry | undefined {
  const { logger, ts, status, request } = parseObject(line) ?? {};
  if (typeof logger !== 'string') return undefined;
  if (!logger.startsWith('http.log.access')) return OTHER_MESSAGE;
  const { host, uri, headers, method, client_ip: client, remote_ip: remote } = (request ?? {}) as CaddyRequest;
  const second = secondOf(ts);
  if (typeof host !== 'string' || typeof uri !== 'string' || !Number.isFinite(second)) return undefined;
  const [agent = ''] = [headers?.['User-Agent']].flat();
  const [referrer] = [headers?.Referer].flat();
  return {
    agent: textOrNone(agent) ?? '',
    target: uri,
    host,
    second,
    ip: textOrNone(client) ?? textOrNone(remote),
    method: textOrNone(method),
    status: numberOrNone(status),
    referrer: textOrNone(referrer),
  };
}

function parseJson(line: string): LogEntry | undefined {
  const { url, agent, at, ip, method, status, referrer } = parseObject(line) ?? {};
  const second = secondOf(at);
  if (typeof url !== 'string' || typeof agent !== 'string' || !Number.isFinite(second)) return undefined;
  return {
    agent,
    target: url,
    second,
    ip: textOrNone(ip),
    method: textOrNone(method),
    status: numberOrNone(status),
    referrer: textOrNone(referrer),
  };
}

const isObject = (line: string): boolean => line.startsWith('{') && line.trimEnd().endsWith('}');

export const FORMATS = {
  combined: { parse: parseCombined, resembles: (line) => line.includes('] "') },
  caddy: { parse: parseCaddy, resembles: isObject },
  json: { parse: parseJson, resembles: isObject },
} as const satisfies Record<string, Parser>;

export type Format = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export const formatOf = (line: string): Format | undefined => FORMAT_NAMES.find((name) => FORMATS[name].parse(line));

/** After so many lines in no known format at the beginning, a file is no access log. */
export const MOST_UNKNOWN = 20;

export const notALog = (advice = ''): Refusal =>
  new Refusal(`this is no access log in the formats combined, caddy or json${advice}`);

/** The year 2328; the terms of a later day could not be told from those of another site. */
export const LATEST_SECOND = 2 ** 17 * DAY;
