// Reads hits from access logs: each request for a page becomes a pageview.
//
// Other lines are skipped. Examples are requests for images, styles or robots.txt, requests by bots, referrer spam, and
// responses with an error status. Each skipped line is counted with its reason.
//
// Example: 120 of 1,000 lines become pageviews. 700 lines are skipped with the reason "files that pages load".
//
// The IP address and the user agent become a visitor code while the line is read (reading/file-hits.ts). Neither of
// them is stored. ../formats.ts lists this format.

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
  refuseNoLog,
} from '../../logs/formats.ts';
import { ASSET, readUrl } from '../../logs/requests.ts';
import type { FileSite, HitFormat } from '../format.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { lineSplitter } from '../reading/lines.ts';

/** Paths that are never a page. Browsers request some of these files on their own, such as opensearch.xml. */
const FOR_PROGRAMS =
  /^\/(?:(?:robots|humans|ads|app-ads|security|llms(?:-full)?)\.txt|sitemap[\w-]*\.(?:xml|txt)(?:\.gz)?|(?:browserconfig|crossdomain|opensearch)\.xml|manifest\.json|\.well-known\/.*)$/i;

const isAnswered = (status = 200): boolean => (status >= 200 && status < 300) || status === 304;

function readPageview(entry: LogEntry, { domain, spam, isExcluded }: FileSite): FileHit | string {
  const { agent, method = 'GET', status, second, ip, referrer = '' } = entry;
  if (second <= 0) return 'other messages';
  const url = readUrl(entry);
  const page = url && readPage(url.path);
  if (!url || page === undefined) return 'requests without a page';
  if (url.host !== undefined && !isOnSite({ domain }, url.host)) return 'another host';
  if (method !== 'GET') return 'methods other than GET';
  if (!isAnswered(status)) return 'answers other than 2xx and 304';
  if (ASSET.test(page)) return 'files that pages load';
  if (FOR_PROGRAMS.test(page)) return 'files for programs';
  if (isBot(agent, undefined)) return 'bots';
  // `ip` may be a text such as "unknown", because a client may write anything into the header X-Forwarded-For.
  if (ip !== undefined && isIP(ip) === 0) return 'no IP address';
  const source = findSource(referrer, { domain });
  if (source !== '' && spam.isSpam(source)) return 'referrer spam';
  if (ip !== undefined && isExcluded(ip)) return 'excluded IP addresses';
  const query = /\?[^#]*/.exec(entry.target)?.[0] ?? '';
  // The hit gets the whole path, from which e-mail addresses are removed later. `page` is cut to 1,024 characters, and
  // may end in half of an e-mail address. This half would not be recognised.
  const path = url.path.replace(/[?#].*$/s, '');
  return { at: iso(Math.floor(second)), url: `https://${domain}${path}${query}`, referrer, agent, ip: ip ?? '' };
}

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
      if (!format && ++unknown >= MOST_UNKNOWN) throw refuseNoLog();
      const hit = entry && entry.second < LATEST_SECOND ? readPageview(entry, source) : 'lines that cannot be read';
      if (typeof hit === 'string') skip(hit, number);
      else add(hit, number);
    };
    // Any client can send a request that is not valid UTF-8. One such line must not make the whole log unreadable.
    const lines = lineSplitter(readLine, { longest: LONGEST_LOG_LINE, mayBeBroken: true });
    return {
      feed: lines.feed,
      end(): void {
        lines.end();
        if (!format && unknown > 0) throw refuseNoLog();
      },
    };
  },
};
