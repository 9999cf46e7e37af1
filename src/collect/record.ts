import { agentOf } from '../classify/agent.ts';
import { isBot } from '../classify/bot.ts';
import { crawlerOf } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { pageOf } from '../classify/page.ts';
import { sourceOf, tagsOf } from '../classify/source.ts';
import type { Crawl, Hit, Moment } from '../engine.ts';
import type { CollectedSite } from '../store/sites.ts';
import type { Knowledge } from './knowledge.ts';
import type { Message } from './payload.ts';

/** Why something is not counted; the answer says so, and it is counted by site and day. */
export type Reason =
  | 'unknown-site'
  | 'foreign-host'
  | 'flood'
  | 'prefetch'
  | 'crawler'
  | 'bot'
  | 'spam'
  | 'no-visit'
  | 'too-late';

/** Who sent it, as far as the request says. Neither address nor agent goes any further than this floor. */
export type Sender = {
  address: string;
  agent: string;
  /** The headers of a browser's own request; absent where a server passes a hit on. */
  browser?: Record<'acceptLanguage' | 'brands' | 'platform' | 'mobile', string | undefined>;
  /** Where a proxy that is trusted says the sender is. */
  country?: string | undefined;
};

export const visitorOf = ({ visitors }: Knowledge, site: CollectedSite, { day }: Moment, sender: Sender): number =>
  visitors.codeOf(day, site.id, sender.address, sender.agent);

/**
 * What becomes of a message about a site: a hit, a crawler's request, or nothing, and why. Cheap refusals come first and the
 * dear questions (whose browser, which country, which visitor) last, so that a bot costs a tenth of a visitor.
 */
export function record(
  knowledge: Knowledge,
  site: CollectedSite,
  message: Omit<Message, 'site'>,
  sender: Sender,
  moment: Moment,
): { hit: Hit } | { dropped: Reason; crawl?: Crawl } {
  const { url, referrer, event = '', label = '' } = message;
  if (!isOnSite(site, url.hostname)) return { dropped: 'foreign-host' };
  const page = pageOf(url.pathname) ?? '/';

  const crawler = crawlerOf(sender.agent);
  if (crawler) {
    const crawl = { siteId: site.id, day: moment.day, crawler: crawler.id, page, requests: 1 };
    return site.tracksCrawlers ? { dropped: 'crawler', crawl } : { dropped: 'crawler' };
  }
  if (isBot(sender.agent, sender.browser)) return { dropped: 'bot' };

  const source = sourceOf(referrer, site.domain);
  if (source !== '' && knowledge.spam.isSpam(source)) return { dropped: 'spam' };

  const tags = tagsOf(url);
  const { browser, os, device } = agentOf(sender.agent, sender.browser);
  return {
    hit: {
      siteId: site.id,
      ...moment,
      visitor: visitorOf(knowledge, site, moment, sender),
      page,
      event,
      label: event === '' ? '' : label,
      source,
      utm_source: tags.source,
      utm_medium: tags.medium,
      utm_campaign: tags.campaign,
      country: sender.country ?? knowledge.countries.countryOf(sender.address),
      device,
      browser,
      os,
    },
  };
}
