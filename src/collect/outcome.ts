// Decides what becomes of a message: a hit, or a drop with a reason. A drop may also count a request of an AI crawler.
//
// Invariant: the IP address and the user agent of a client are never stored (test/collect/traces.long.test.ts).
// Dimensions that the site has switched off are not stored either. Cheap checks come first and lookups come last, so a
// bot takes a tenth of the time of a visitor.
//
// Example: a pageview with the agent `GPTBot/1.2` is dropped as `crawler`. If the site counts crawlers, the request
// counts for gptbot. browser-messages.ts calls `decideOutcome` for browsers. server-messages.ts calls it for the lists
// that web servers send.

import { readAgent } from '../classify/agent.ts';
import { isBot } from '../classify/bot.ts';
import type { Place } from '../classify/country.ts';
import { findCrawler } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { readLanguage } from '../classify/language.ts';
import { keepPage } from '../classify/page.ts';
import { keepLabel, keepProperties } from '../classify/private.ts';
import { findScreen } from '../classify/screen.ts';
import { findSource, readTags } from '../classify/source.ts';
import { type Crawl, DAY_FULL, type Hit, type Moment } from '../engine/activity.ts';
import { dropTexts, keepsPlaces } from '../stats/dimensions-off.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import { findBlock } from './blocks.ts';
import type { Classifiers } from './classifiers.ts';
import type { Message } from './payload.ts';

export function decideOutcome(
  classifiers: Classifiers,
  site: CollectedSite,
  message: Omit<Message, 'site'>,
  client: Client,
  moment: Moment,
): { hit: Hit } | { dropped: Reason; crawl?: Crawl; block?: number } {
  const { url, referrer, event = '', label = '' } = message;
  if (!isOnSite(site, url.hostname)) return { dropped: 'foreign-host' };
  const page = keepPage(url, site);

  const crawler = findCrawler(client.agent);
  if (crawler) {
    if (classifiers.isExcluded(client.address)) return { dropped: 'excluded' };
    const crawl = { siteId: site.id, day: moment.day, crawler: crawler.id, page, requests: 1 };
    return site.tracksCrawlers ? { dropped: 'crawler', crawl } : { dropped: 'crawler' };
  }
  if (isBot(client.agent, client.browser)) return { dropped: 'bot' };

  const source = findSource(referrer, site);
  if (source !== '' && classifiers.spam.isSpam(source)) return { dropped: 'spam' };
  // This check comes after the checks for bots and spam. A website sees the reasons `bot` and `spam` in the response,
  // but not `excluded`. If spam of an excluded visitor got a response without `spam`, the website would learn about the
  // exclusion. The check for blocks comes here too, because blocks must stay hidden as well.
  if (classifiers.isExcluded(client.address)) return { dropped: 'excluded' };

  const place = findPlace(classifiers, site, client);
  const block =
    site.blocks === undefined
      ? undefined
      : findBlock(site.blocks, { ...client, country: place.country, hostname: url.hostname, page, source });
  if (block !== undefined) return { dropped: 'blocked', block };

  const tags = readTags(url);
  const agent = readAgent(client.agent, client.browser);
  const hit: Hit = {
    siteId: site.id,
    // Fields are copied one by one. The spread `...moment` would take as long as finding the country of an IP address.
    day: moment.day,
    second: moment.second,
    visitor: findVisitor(classifiers, site, moment, client),
    page,
    hostname: url.hostname,
    event,
    label: event === '' ? '' : keepLabel(site, label),
    source,
    utm_source: tags.source,
    utm_medium: tags.medium,
    utm_campaign: tags.campaign,
    utm_term: tags.term,
    utm_content: tags.content,
    country: place.country,
    region: place.region,
    city: place.city,
    device: agent.device,
    browser: agent.browser,
    browser_version: agent.browserVersion,
    os: agent.os,
    os_version: agent.osVersion,
    screen: findScreen(message.width),
    language: readLanguage(client.browser?.acceptLanguage),
    ad: tags.ad,
    properties: message.props ? keepProperties(site, message.props) : '',
    revenue: message.revenue ?? '',
  };
  dropTexts(hit, site.dimensionsOff);
  return { hit };
}

/**
 * Finds the country, the region and the city of a visitor. A proxy may report another country than the database. In
 * this case, region and city are unknown, because the database's region and city would contradict the proxy's country.
 */
function findPlace({ countries }: Classifiers, site: CollectedSite, { address, country }: Client): Place {
  const isWhole = keepsPlaces(site.dimensionsOff);
  if (country !== undefined && !isWhole) return { country, region: '', city: '' };
  const place = countries.findPlace(address, isWhole);
  return country === undefined || country === place.country ? place : { country, region: '', city: '' };
}

/**
 * The reasons for drops. Owners of a site see how many messages were dropped on each day for each reason. Drops with
 * the reason `unknown-site` belong to no site, so only /metrics counts them.
 */
export const REASONS = [
  'unknown-site',
  'foreign-host',
  'flood',
  DAY_FULL,
  'prefetch',
  'crawler',
  'bot',
  'spam',
  'excluded',
  'blocked',
  'no-visit',
  'too-late',
] as const;
export type Reason = (typeof REASONS)[number];

/**
 * The client that sent a message. Its IP address and its user agent are never stored
 * (test/collect/traces.long.test.ts).
 */
export type Client = {
  address: string;
  agent: string;
  /** Headers that show the browser, its language, and whether it is a bot. Undefined if a web server sends the hit. */
  browser?: Record<'acceptLanguage' | 'brands' | 'platform' | 'mobile', string | undefined>;
  country?: string | undefined;
};

export const findVisitor = ({ visitors }: Classifiers, site: CollectedSite, { day }: Moment, client: Client): number =>
  visitors.computeCode(day, site.id, client.address, client.agent);
