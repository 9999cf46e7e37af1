import { isBot } from '../classify/bot.ts';
import { isOnSite } from '../classify/host.ts';
import { pageOf } from '../classify/page.ts';
import { sourceOf } from '../classify/source.ts';
import type { SpamList } from '../classify/spam.ts';
import { Refusal } from '../lib/errors.ts';
import { iso } from '../lib/time.ts';
import { ASSET, FORMATS, type Format, formatOf, type Logged, placeOf } from '../logs/lines.ts';
import { END_OF_TIME } from '../logs/scan.ts';
import type { Told } from './file-hits.ts';
import type { FileFormat } from './format.ts';
import { lineCutter } from './ndjson.ts';

/** So many lines in a row at the beginning that nothing can be made of, and it is not a log. */
const MOST_STRANGE = 20;
const UNREADABLE = 'lines that cannot be read';

const noLog = () => new Refusal('this is no access log in the formats combined, caddy or json');

const isAnswered = (status = 200): boolean => (status >= 200 && status < 300) || status === 304;

/** The pageview that a request was, or why it was none: by the rules for a hit from a server, and only where a page came. */
function toldBy(logged: Logged, domain: string, spam: SpamList): Told | string {
  const { agent, method = 'GET', status, second, ip, referrer = '' } = logged;
  if (second <= 0) return 'other messages';
  const place = placeOf(logged);
  const page = place && pageOf(place.path);
  if (!place || page === undefined) return 'requests for no page';
  if (place.host !== undefined && !isOnSite({ domain }, place.host)) return 'another host';
  if (method !== 'GET') return 'methods other than GET';
  if (!isAnswered(status)) return 'answers other than 2xx and 304';
  if (ASSET.test(page)) return 'parts of pages';
  if (isBot(agent, undefined)) return 'bots';
  const source = sourceOf(referrer, domain);
  if (source !== '' && spam.isSpam(source)) return 'referrer spam';
  const query = /\?[^#]*/.exec(logged.target)?.[0] ?? '';
  return { at: iso(Math.floor(second)), url: `https://${domain}${page}${query}`, referrer, agent, ip: ip ?? '' };
}

/** Access logs as daybook logs knows them. */
export const LOG: FileFormat = {
  fields: { visitor: 'ip' },
  reading({ take, leave }, { domain, spam }) {
    let format: Format | undefined;
    let unread = 0;
    const lines = lineCutter((line, number) => {
      if (line.trim() === '') return;
      format ??= formatOf(line);
      const logged = format && FORMATS[format].parse(line);
      if (!format && ++unread >= MOST_STRANGE) throw noLog();
      const told = logged && logged.second < END_OF_TIME ? toldBy(logged, domain, spam) : UNREADABLE;
      if (typeof told === 'string') leave(told, number);
      else take(told, number);
    });
    return {
      take: lines.take,
      end(): void {
        lines.end();
        if (!format && unread > 0) throw noLog();
      },
    };
  },
};
