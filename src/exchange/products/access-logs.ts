import { isIP } from 'node:net';
import { isBot } from '../../classify/bot.ts';
import { isOnSite } from '../../classify/host.ts';
import { readPage } from '../../classify/page.ts';
import { findSource } from '../../classify/source.ts';
import { iso } from '../../lib/time.ts';
import {
  FORMATS,
  type Format,
  findFormat,
  isComment,
  LATEST_SECOND,
  LONGEST_LOG_LINE,
  type LogEntry,
  MOST_UNKNOWN,
  notALog,
} from '../../logs/formats.ts';
import { ASSET, requestedUrl } from '../../logs/requests.ts';
import type { HitFormat, Source } from '../format.ts';
import type { FileHit } from '../reading/file-hits.ts';
import { lineSplitter } from '../reading/lines.ts';

/** Files that programs ask for, and no people. A browser asks for them too, such as one that fills in a search. */
const FOR_PROGRAMS =
  /^\/(?:(?:robots|humans|ads|app-ads|security|llms(?:-full)?)\.txt|sitemap[\w-]*\.(?:xml|txt)(?:\.gz)?|(?:browserconfig|crossdomain|opensearch)\.xml|manifest\.json|\.well-known\/.*)$/i;

const isAnswered = (status = 200): boolean => (status >= 200 && status < 300) || status === 304;

/** The pageview of a request, or why it is skipped. Bots and spam are found as in hits that a server passes on. */
function pageviewOf(entry: LogEntry, { domain, spam, isExcluded }: Source): FileHit | string {
  const { agent, method = 'GET', status, second, ip, referrer = '' } = entry;
  if (second <= 0) return 'other messages';
  const url = requestedUrl(entry);
  const page = url && readPage(url.path);
  if (!url || page === undefined) return 'requests for no page';
  if (url.host !== undefined && !isOnSite({ domain }, url.host)) return 'another host';
  if (method !== 'GET') return 'methods other than GET';
  if (!isAnswered(status)) return 'answers other than 2xx and 304';
  if (ASSET.test(page)) return 'parts of pages';
  if (FOR_PROGRAMS.test(page)) return 'files for programs';
  if (isBot(agent, undefined)) return 'bots';
  // A proxy may pass on whatever a client sent as X-Forwarded-For, such as "unknown".
  if (ip !== undefined && isIP(ip) === 0) return 'no IP address';
  const source = findSource(referrer, { domain });
  if (source !== '' && spam.isSpam(source)) return 'referrer spam';
  if (ip !== undefined && isExcluded(ip)) return 'excluded addresses';
  const query = /\?[^#]*/.exec(entry.target)?.[0] ?? '';
  // The whole path and not the page, whose cut may leave half an e-mail address.
  const path = url.path.replace(/[?#].*$/s, '');
  return { at: iso(Math.floor(second)), url: `https://${domain}${path}${query}`, referrer, agent, ip: ip ?? '' };
}

/** Access logs in the formats that `daybook logs` knows. */
export const LOG: HitFormat = {
  help: 'an access log: combined, caddy, json or cloudfront',
  fields: { visitor: 'ip' },
  parser({ add, skip }, source) {
    let format: Format | undefined;
    let unknown = 0;
    const readLine = (line: string, number: number): void => {
      if (line.trim() === '' || isComment(line)) return;
      format ??= findFormat(line);
      const entry = format && FORMATS[format].parse(line);
      if (!format && ++unknown >= MOST_UNKNOWN) throw notALog();
      const hit = entry && entry.second < LATEST_SECOND ? pageviewOf(entry, source) : 'lines that cannot be read';
      if (typeof hit === 'string') skip(hit, number);
      else add(hit, number);
    };
    // Strangers decide what stands in it, and must not make a whole log one that cannot be read.
    const lines = lineSplitter(readLine, { longest: LONGEST_LOG_LINE, mayBeBroken: true });
    return {
      feed: lines.feed,
      end(): void {
        lines.end();
        if (!format && unknown > 0) throw notALog();
      },
    };
  },
};
