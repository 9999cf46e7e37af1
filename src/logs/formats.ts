// The formats of access logs: nginx and Apache (combined), Caddy (JSON), daybook's own JSON, and the lines of
// CloudFront with tabs.
//
// Invariant: a line that cannot be read gives undefined. An example is a line with a day that does not exist. A format
// without user agents is refused, because bots in it look like people.
//
// Example: `203.0.113.7 - - [26/Nov/2026:10:00:00 +0100] "GET /a HTTP/1.1" 200 512 "-" "GPTBot/1.2"` gives the agent
// `GPTBot/1.2`, the target `/a` and the second 1795683600. logs/scan.ts and src/exchange, which imports visits from
// logs, parse lines with the table `FORMATS`.

import { Refusal } from '../lib/errors.ts';
import { DAY, isDay } from '../lib/time.ts';

/**
 * Finds the format of a line. The common format is refused: it has no user agents, therefore bots in it look like
 * people.
 */
export function findFormat(line: string): Format | undefined {
  const found = FORMAT_NAMES.find((name) => FORMATS[name].parse(line));
  if (found === undefined && COMMON.test(line)) {
    throw new Refusal(
      'this access log has the common format, without user agents, so daybook cannot recognise bots. Let the web server write the combined format',
    );
  }
  return found;
}

/** A request, as a line of a log describes it. In the log of a single site, the host is missing. */
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
  /** Reads a line. Returns undefined if the line has another format. */
  parse(line: string): LogEntry | undefined;
  /**
   * True if a line looks like this format. A line without the name of a crawler counts nothing, therefore this quick
   * check is enough for such a line. `parse` takes ten times as long.
   */
  resembles(line: string): boolean;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Matches a line of the combined format. The host, which may be missing, is followed by the IP address, identity, user,
 * [time], "request", status, size, "referrer" and "agent". More text may follow.
 */
const COMBINED =
  /^(\S+) (\S+) [^[]*\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-4])([0-5]\d)\] "((?:[^"\\]|\\.)*)" (\S+) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

/** Undoes the escapes of nginx and Apache: quotes, backslashes and bytes that are not ASCII. */
const unescapeText = (text: string): string =>
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
  // Date.UTC turns a day that does not exist, such as 31 April, into a day of the next month. Such a line is refused.
  if (new Date(time * 1000).getUTCDate() !== Number(day)) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const [, method, target = ''] = /^(\S+) (.*?)(?: HTTP\/[\d.]+)?$/.exec(unescapeText(request)) ?? [];
  // The line begins with a host or with an IP address. After a host, an IP address follows. After an IP address, either
  // the identity follows, which is always "-", or a comma and more IP addresses.
  const sender = second === '-' || first.endsWith(',') ? { ip: first.replace(/,$/, '') } : { host: first, ip: second };
  return {
    agent: unescapeText(agent),
    target,
    ...sender,
    second: time - offset,
    method,
    status: Number(status),
    referrer: referrer === '-' ? '' : unescapeText(referrer),
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

/** Matches the time zone at the end of a time. */
const ZONE = /(Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/**
 * Reads a time in seconds. Returns NaN if the day does not exist. Date.parse would turn such a day into a day of the
 * next month.
 *
 * Some texts have no zone, for example those of Caddy's format `wall`. They are read as UTC. Date.parse would use the
 * zone of this machine. Then two machines would find different days in the same file (test/logs/formats.test.ts).
 */
function readSecond(time: unknown): number {
  if (typeof time === 'number') return time;
  if (typeof time !== 'string') return Number.NaN;
  const [day] = /^\d{4}[-/]\d\d[-/]\d\d/.exec(time) ?? [];
  if (day !== undefined && !isDay(day.replaceAll('/', '-'))) return Number.NaN;
  return Date.parse(ZONE.test(time) ? time : `${time}Z`) / 1000;
}

/**
 * What `parseCaddy` returns for a message of Caddy that is not from its access log. Such a message is readable, but
 * counts nothing. For example, Caddy logs a failed request a second time, as an error.
 */
const OTHER_MESSAGE: LogEntry = { agent: '', target: '', second: 0 };

type CaddyRequest = Record<'host' | 'uri' | 'method' | 'client_ip' | 'remote_ip', unknown> & {
  headers?: Record<string, unknown>;
};

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** Reads a status. The status may be a text, because nginx often writes each field in quotes. */
const readStatus = (value: unknown): number | undefined => {
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
    agent: readText(agent) ?? '',
    target: uri,
    host,
    second,
    ip: readText(client) ?? readText(remote),
    method: readText(method),
    status: readStatus(status),
    referrer: readText(referrer),
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
    ip: readText(ip),
    method: readText(method),
    status: readStatus(status),
    referrer: readText(referrer),
  };
}

/**
 * The columns of the standard logs of CloudFront. Values are percent-encoded, and in older logs twice. "-" means that
 * there is no value.
 */
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

function decodeText(text: string): string {
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
    agent: decodeText(textAt('agent')),
    target: query === '' ? path : `${path}?${query}`,
    // The host that the browser requested, such as example.com (column 15). If it is missing, the host of the
    // CloudFront distribution, such as d111.cloudfront.net (column 6).
    host: textAt('named') || textAt('host'),
    second,
    ip: textAt('ip'),
    method: textAt('method'),
    status: Number(textAt('status')),
    referrer: decodeText(textAt('referrer')),
  };
}

/** True for a comment, such as the line of a CloudFront log that names the columns. */
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

/**
 * Matches a line of the common format. The host, which may be missing, is followed by the IP address, identity, user,
 * [time], "request", status and size. Nothing else may follow.
 */
const COMMON = /^\S+ [^[]*\[\d\d\/[A-Z][a-z]{2}\/\d{4}:[^\]]+\] "(?:[^"\\]|\\.)*" \d{3} (?:\d+|-)\s*$/;

/**
 * The most bytes of a line. `daybook logs` counts a longer line as unreadable, and an import refuses it. Lines of web
 * servers are shorter, although nginx writes four bytes for some bytes of a request.
 */
export const LONGEST_LOG_LINE = 256 * 1024;

/** A file is refused if this number of lines at its beginning are in no known format. */
export const MOST_UNKNOWN = 20;

export const refuseNoLog = (advice = ''): Refusal =>
  new Refusal(`this is no access log in the formats combined, caddy, json or cloudfront${advice}`);

/**
 * The last second that is read, in the year 2328. A later day does not fit into the key that combines a site and a day
 * (lib/day-key.ts).
 */
export const LATEST_SECOND = 2 ** 17 * DAY;
