import { findCrawler } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { keepPath, readPage } from '../classify/page.ts';
import type { Crawl } from '../engine/activity.ts';
import { parseUrl } from '../lib/url.ts';
import { findZone } from '../lib/zone.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import type { LogEntry } from './formats.ts';

/**
 * Matches files that a page loads: styles, code, images, fonts, sound and video. Texts, data, feeds and archives do not
 * match, because they count as pages.
 */
export const ASSET =
  /\.(?:css|[cm]?js|map|wasm|webmanifest|png|apng|jpe?g|gif|webp|avif|jxl|heic|svg|ico|cur|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|aac|web[am]|og[agv]|opus|wav|flac|mov|avi|mkv|m3u8)$/i;

/**
 * Reads the host and the path of a request. The result `path` includes the query string. The target of a request is
 * nearly always a path. Only a client that uses the server as a proxy sends a whole URL.
 */
export function readUrl({ target, host }: LogEntry): { host: string | undefined; path: string } | undefined {
  // A client that sends a fragment (`#top`) breaks HTTP. The fragment is removed. Otherwise, it would become a part of
  // the page.
  if (target.startsWith('/'))
    return { host: host?.replace(/:\d+$/, '').toLowerCase(), path: target.replace(/#.*$/s, '') };
  const url = /^https?:/i.test(target) ? parseUrl(target) : null;
  return url ? { host: url.hostname, path: url.pathname + url.search } : undefined;
}

/**
 * A site whose logs are read. `zoneSince` is the moment of the latest change of its time zone, or 0 without a change.
 */
export type LogSite = CollectedSite & { zoneSince: number };

/**
 * Finds the date of a request in the time zone of the site. A request after a change of the time zone never belongs to
 * an earlier day than the change.
 */
function findLogDay({ timeZone, zoneSince, earliestDay }: LogSite, second: number): number {
  const date = findZone(timeZone).dateAt(Math.floor(second));
  return second < zoneSince ? date : Math.max(date, earliestDay);
}

/** Reads the request of an AI crawler for a page of the site. Returns undefined for all other requests. */
export function readCrawl(site: LogSite, entry: LogEntry): Crawl | undefined {
  const crawler = findCrawler(entry.agent);
  const url = crawler && readUrl(entry);
  if (!url || (url.host !== undefined && !isOnSite(site, url.host))) return undefined;
  const page = readPage(url.path);
  if (page === undefined || ASSET.test(page)) return undefined;
  const kept = keepPath(url.path, site) ?? '/';
  return {
    siteId: site.id,
    day: findLogDay(site, entry.second),
    crawler: crawler.id,
    page: kept,
    requests: 1,
  };
}
