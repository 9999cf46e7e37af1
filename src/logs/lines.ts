import { crawlerOf } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { pageOf } from '../classify/page.ts';
import type { Crawl } from '../engine.ts';
import { DAY } from '../lib/time.ts';
import type { CollectedSite } from '../store/sites.ts';

/** What a line says of a request. There is no host where the log is that of one site. */
export type Logged = {
  agent: string;
  target: string;
  host?: string;
  second: number;
  ip?: string | undefined;
  method?: string | undefined;
  status?: number | undefined;
  referrer?: string | undefined;
};

type Reader = {
  /** Undefined for a line that is not of the format. */
  parse(line: string): Logged | undefined;
  /** A glance for the lines that name no crawler: enough to notice what is not of the format, at a tenth of the cost. */
  resembles(line: string): boolean;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Host and address or address alone, user, [time], "request", status, size, "referrer", "agent"; more may follow. */
const COMBINED =
  /^(\S+) (\S+) [^[]*\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\S+) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

/** nginx and Apache escape quotes, backslashes and the bytes that are not ASCII. */
const unescaped = (text: string): string =>
  text.replace(/(?:\\x[0-9A-Fa-f]{2})+|\\(.)/g, (bytes, character?: string) =>
    character === undefined ? Buffer.from(bytes.replaceAll('\\x', ''), 'hex').toString() : character,
  );

function parseCombined(line: string): Logged | undefined {
  const match = COMBINED.exec(line);
  if (!match) return undefined;
  const [, first = '', second = '', day, name = '', year, hour, minute, of, sign, hours, minutes, ...words] = match;
  const [request = '', status, referrer = '', agent = ''] = words;
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(of)) / 1000;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const [, method, target = ''] = /^(\S+) (.*?)(?: HTTP\/[\d.]+)?$/.exec(unescaped(request)) ?? [];
  // Behind an address stands the identity, which is always "-", or after a comma a proxy's; behind a host stands an address.
  const place = second === '-' || first.endsWith(',') ? { ip: first.replace(/,$/, '') } : { host: first, ip: second };
  return {
    agent: unescaped(agent),
    target,
    ...place,
    second: time - offset,
    method,
    status: Number(status),
    referrer: referrer === '-' ? '' : unescaped(referrer),
  };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const secondOf = (time: unknown): number => (typeof time === 'number' ? time : Date.parse(String(time)) / 1000);

/** Caddy writes other things into the same log, and a failed request a second time, as an error. */
const OTHER_NEWS: Logged = { agent: '', target: '', second: 0 };

type CaddyRequest = Record<'host' | 'uri' | 'method' | 'client_ip' | 'remote_ip', unknown> & {
  headers?: Record<string, unknown>;
};

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function parseCaddy(line: string): Logged | undefined {
  const { logger, ts, status, request } = objectIn(line) ?? {};
  if (typeof logger !== 'string') return undefined;
  if (!logger.startsWith('http.log.access')) return OTHER_NEWS;
  const { host, uri, headers, method, client_ip: client, remote_ip: remote } = (request ?? {}) as CaddyRequest;
  const second = secondOf(ts);
  if (typeof host !== 'string' || typeof uri !== 'string' || !Number.isFinite(second)) return undefined;
  const [agent = ''] = [headers?.['User-Agent']].flat();
  const [referrer] = [headers?.Referer].flat();
  return {
    agent: String(agent),
    target: uri,
    host,
    second,
    ip: textIn(client) ?? textIn(remote),
    method: textIn(method),
    status: numberIn(status),
    referrer: textIn(referrer),
  };
}

function parseJson(line: string): Logged | undefined {
  const { url, agent, at, ip, method, status, referrer } = objectIn(line) ?? {};
  const second = secondOf(at);
  if (typeof url !== 'string' || typeof agent !== 'string' || !Number.isFinite(second)) return undefined;
  return {
    agent,
    target: url,
    second,
    ip: textIn(ip),
    method: textIn(method),
    status: numberIn(status),
    referrer: textIn(referrer),
  };
}

const isObject = (line: string): boolean => line.startsWith('{') && line.trimEnd().endsWith('}');

export const FORMATS = {
  combined: { parse: parseCombined, resembles: (line) => line.includes('] "') },
  caddy: { parse: parseCaddy, resembles: isObject },
  json: { parse: parseJson, resembles: isObject },
} as const satisfies Record<string, Reader>;

export type Format = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export const formatOf = (line: string): Format | undefined => FORMAT_NAMES.find((name) => FORMATS[name].parse(line));

/** What pages are made of: style, code, images, fonts, sound and film. Texts, data, feeds and archives are read. */
export const ASSET =
  /\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$/i;

/** Host and path of what was asked for: nearly always a path, from a proxy's client a whole URL. */
export function placeOf({ target, host }: Logged): { host: string | undefined; path: string } | undefined {
  if (target.startsWith('/')) return { host: host?.replace(/:\d+$/, '').toLowerCase(), path: target };
  const url = /^https?:/i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  return url && { host: url.hostname, path: url.pathname };
}

/** The request of an AI crawler for a page of the site, if it was one. */
export function crawlIn(site: CollectedSite, logged: Logged): Crawl | undefined {
  const crawler = crawlerOf(logged.agent);
  const place = crawler && placeOf(logged);
  if (!place || (place.host !== undefined && !isOnSite(site, place.host))) return undefined;
  const page = pageOf(place.path);
  if (page === undefined || ASSET.test(page)) return undefined;
  return { siteId: site.id, day: Math.floor(logged.second / DAY), crawler: crawler.id, page, requests: 1 };
}
