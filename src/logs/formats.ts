import { Refusal } from '../lib/errors.ts';
import { DAY, isDay } from '../lib/time.ts';

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
  /^(\S+) (\S+) [^[]*\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-4])([0-5]\d)\] "((?:[^"\\]|\\.)*)" (\S+) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

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
  // A day that does not exist would count as one of the next month.
  if (new Date(time * 1000).getUTCDate() !== Number(day)) return undefined;
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

/** NaN for a day that does not exist, which Date.parse takes for one of the next month. */
function readSecond(time: unknown): number {
  if (typeof time === 'number') return time;
  if (typeof time !== 'string') return Number.NaN;
  const [day] = /^\d{4}-\d\d-\d\d/.exec(time) ?? [];
  return day !== undefined && !isDay(day) ? Number.NaN : Date.parse(time) / 1000;
}

/** Caddy writes other messages into the same log, and a failed request a second time, as an error. */
const OTHER_MESSAGE: LogEntry = { agent: '', target: '', second: 0 };

type CaddyRequest = Record<'host' | 'uri' | 'method' | 'client_ip' | 'remote_ip', unknown> & {
  headers?: Record<string, unknown>;
};

const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A status is text where the server writes each field in quotes, as nginx often does. */
const statusIn = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : undefined;
};

function parseCaddy(line: string): LogEntry | undefined {
  const { logger, ts, status, request } = parseObject(line) ?? {};
  if (typeof logger !== 'string') return undefined;
  if (!logger.startsWith('http.log.access')) return OTHER_MESSAGE;
  const { host, uri, headers, method, client_ip: client, remote_ip: remote } = (request ?? {}) as CaddyRequest;
  const second = readSecond(ts);
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
    status: statusIn(status),
    referrer: textOrNone(referrer),
  };
}

function parseJson(line: string): LogEntry | undefined {
  const { url, agent, at, ip, method, status, referrer } = parseObject(line) ?? {};
  const second = readSecond(at);
  if (typeof url !== 'string' || typeof agent !== 'string' || !Number.isFinite(second)) return undefined;
  return {
    agent,
    target: url,
    second,
    ip: textOrNone(ip),
    method: textOrNone(method),
    status: statusIn(status),
    referrer: textOrNone(referrer),
  };
}

/** Where CloudFront's standard logs have what; values are percent-encoded, of older ones twice, and - for none. */
const CLOUDFRONT = {
  date: 0,
  time: 1,
  ip: 4,
  method: 5,
  host: 6,
  path: 7,
  status: 8,
  referrer: 9,
  agent: 10,
  query: 11,
  named: 15,
};
const CLOUDFRONT_LINE = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/;

function decoded(text: string): string {
  try {
    const once = decodeURIComponent(text);
    return /%[0-9A-Fa-f]{2}/.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return text;
  }
}

function parseCloudfront(line: string): LogEntry | undefined {
  const fields = line.trimEnd().split('\t');
  const textAt = (name: keyof typeof CLOUDFRONT): string => {
    const text = fields[CLOUDFRONT[name]] ?? '-';
    return text === '-' ? '' : text;
  };
  const second = readSecond(`${textAt('date')}T${textAt('time')}Z`);
  const path = textAt('path');
  if (!CLOUDFRONT_LINE.test(line) || !Number.isFinite(second) || path === '') return undefined;
  const query = textAt('query');
  return {
    agent: decoded(textAt('agent')),
    target: query === '' ? path : `${path}?${query}`,
    // The name that the visitor asked for, and not that of the distribution.
    host: textAt('named') || textAt('host'),
    second,
    ip: textAt('ip'),
    method: textAt('method'),
    status: Number(textAt('status')),
    referrer: decoded(textAt('referrer')),
  };
}

/** Of the head of a log, which names its fields. */
export const isComment = (line: string): boolean => line.startsWith('#');

const isObject = (line: string): boolean => line.startsWith('{') && line.trimEnd().endsWith('}');

export const FORMATS = {
  combined: { parse: parseCombined, resembles: (line) => line.includes('] "') },
  caddy: { parse: parseCaddy, resembles: isObject },
  json: { parse: parseJson, resembles: isObject },
  cloudfront: { parse: parseCloudfront, resembles: (line) => isComment(line) || CLOUDFRONT_LINE.test(line) },
} as const satisfies Record<string, Parser>;

export type Format = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/** [Host] address identity user [time] "request" status size, and no more. */
const COMMON = /^\S+ [^[]*\[\d\d\/[A-Z][a-z]{2}\/\d{4}:[^\]]+\] "(?:[^"\\]|\\.)*" \d{3} (?:\d+|-)\s*$/;

/** The format of a line. Throws for the common one, in which neither a crawler nor any other bot can be told from people. */
export function findFormat(line: string): Format | undefined {
  const found = FORMAT_NAMES.find((name) => FORMATS[name].parse(line));
  if (found === undefined && COMMON.test(line)) {
    throw new Refusal(
      'this access log is in the common format, which has no agents, so that bots cannot be told from people; let the web server write the combined format',
    );
  }
  return found;
}

/** In bytes. No web server writes a longer line: nginx takes four for each byte of a request that is no text. */
export const LONGEST_LOG_LINE = 256 * 1024;

/** After so many lines in no known format at the beginning, a file is no access log. */
export const MOST_UNKNOWN = 20;

export const notALog = (advice = ''): Refusal =>
  new Refusal(`this is no access log in the formats combined, caddy, json or cloudfront${advice}`);

/** The year 2328; the terms of a later day could not be told from those of another site. */
export const LATEST_SECOND = 2 ** 17 * DAY;
