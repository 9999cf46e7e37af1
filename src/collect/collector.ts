import { countries } from '../classify/country.ts';
import { crawlerOf } from '../classify/crawlers.ts';
import { pageOf } from '../classify/page.ts';
import { spamList } from '../classify/spam.ts';
import type { Config } from '../config.ts';
import { type Crawl, type Drop, openDay } from '../ledger/append.ts';
import { isLocal } from '../lib/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { findCollectedSite } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { noteUpkeep } from '../store/upkeep.ts';
import { running } from './active-visitors.ts';
import { arrivals } from './arrivals.ts';
import { flood } from './flood.ts';
import type { Hit } from './hit.ts';
import type { Engagement, Message } from './payload.ts';
import {
  type CollectedSite,
  isOnSite,
  type Knowledge,
  type Moment,
  type Reason,
  record,
  type Sender,
  visitorOf,
} from './record.ts';
import { visitors } from './visitor.ts';

export type Collector = ReturnType<typeof buildCollector>;

/** Hits and crawls that a server passes on. */
export type PassedHit = Omit<Message, 'site'> & { ip: string; agent: string; at?: number | undefined };
export type PassedCrawl = { url: URL; agent: string; at?: number | undefined };
export type Outcome = { accepted: number; dropped: number };

const DAY = 86_400;
/** A clock of another server may be ahead by so much. */
const SKEW_SECONDS = 60;

const momentOf = (second: number): Moment => ({ day: Math.floor(second / DAY), second: second % DAY });

const NOTHING: Hit = {
  siteId: 0,
  day: 0,
  second: 0,
  visitor: 0,
  engaged: null,
  page: '',
  event: '',
  label: '',
  source: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  country: '',
  device: '',
  browser: '',
  os: '',
};

/** Everything that is collected comes in here, and ends in the open day. */
export function buildCollector(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
}) {
  const { config, db, clock, random, log, meters } = deps;
  const knowledge: Knowledge = {
    visitors: visitors(db, random, clock),
    countries: countries(config.geoip, clock, log),
    spam: spamList(config.spamList, clock, log),
  };
  const day = openDay(db, log, meters);
  const active = running(db);
  const addresses = flood(config.flood, clock);
  const arrived = arrivals(clock, isLocal(new URL(config.baseUrl)));
  const sites = new Map<string, CollectedSite>();
  let changes = 0;

  /**
   * A site is remembered until something is written here, or the event loop turns, which is when another process can have
   * written: so one that is deleted and added again is never taken for the old one. Under load that is for as many hits as
   * come together, and each costs SQLite's count of changes, 0.3 µs in place of 3 µs.
   */
  function siteOf(domain: string): CollectedSite | undefined {
    const { n = 0 } = db.one<{ n: number }>('SELECT total_changes() AS n') ?? {};
    if (n !== changes) sites.clear();
    changes = n;
    const known = sites.get(domain);
    if (known) return known;
    const site = findCollectedSite(db, domain);
    if (!site) return undefined;
    if (sites.size === 0) setImmediate(() => sites.clear());
    sites.set(domain, site);
    return site;
  }

  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, moment: Moment, reason: Reason): Reason {
    meters?.dropped.add([reason]);
    day.countDrop({ siteId: site.id, day: moment.day, reason } satisfies Drop);
    return reason;
  }

  /** One message from a browser; resolves when it is on the disk, with the reason if it is not counted. */
  async function take(message: Message, sender: Sender, isPrefetch: boolean): Promise<Reason | undefined> {
    const site = siteOf(message.site.toLowerCase());
    if (!site) return unknown();
    const now = seconds(clock);
    const moment = momentOf(now);
    if (!addresses.take(sender.address)) return drop(site, moment, 'flood');
    if (isPrefetch) return drop(site, moment, 'prefetch');

    const outcome = record(knowledge, site, message, sender, moment);
    if ('hit' in outcome) {
      await day.append([outcome.hit]);
      active.touch(outcome.hit.visitor, now, now);
      return undefined;
    }
    if (outcome.crawl) await day.append([], [outcome.crawl]);
    return drop(site, moment, outcome.dropped);
  }

  /** How long a page was visible: no hit, but a sign of life of a visit that is running. */
  async function engage(message: Engagement, sender: Sender): Promise<Reason | undefined> {
    const site = siteOf(message.site.toLowerCase());
    if (!site) return unknown();
    const now = seconds(clock);
    const moment = momentOf(now);
    if (!isOnSite(site, message.url.hostname)) return drop(site, moment, 'foreign-host');
    if (!addresses.take(sender.address)) return drop(site, moment, 'flood');

    const visitor = visitorOf(knowledge, site, moment, sender);
    const idle = active.idle(visitor, now);
    if (idle === undefined) return drop(site, moment, 'no-visit');
    // Nobody has looked for longer than since the last sign of life, whatever a browser says; a second for its rounding.
    const engaged = Math.min(Math.round(message.engaged / 1000), idle + 1);
    const page = pageOf(message.url.pathname) ?? '/';
    await day.append([{ ...NOTHING, siteId: site.id, ...moment, visitor, engaged, page }]);
    active.touch(visitor, now, now);
    return undefined;
  }

  /** Only today can still be added to: the salt of yesterday is gone, and with it whoever was a visitor then. */
  function momentIn(at: number | undefined): Moment | undefined {
    const now = seconds(clock);
    const moment = momentOf(Math.min(at ?? now, now));
    const isAhead = at !== undefined && at > now + SKEW_SECONDS;
    return isAhead || moment.day !== momentOf(now).day ? undefined : moment;
  }

  async function takeHits(site: CollectedSite, passed: readonly PassedHit[]): Promise<Outcome> {
    const today = momentOf(seconds(clock));
    const hits: Hit[] = [];
    const crawls: Crawl[] = [];
    const reasons: Reason[] = [];
    for (const { ip, agent, at, ...message } of passed) {
      const moment = momentIn(at);
      const outcome = moment ? record(knowledge, site, message, { address: ip, agent }, moment) : undefined;
      if (outcome && 'hit' in outcome) hits.push(outcome.hit);
      else reasons.push(outcome?.dropped ?? 'too-late');
      if (outcome && 'crawl' in outcome && outcome.crawl) crawls.push(outcome.crawl);
    }
    // All of it at once: what could not be stored is sent again, and would count twice.
    const lost = reasons.map((reason): Drop => ({ siteId: site.id, day: today.day, reason }));
    if (passed.length > 0) await day.append(hits, crawls, lost);
    for (const reason of reasons) meters?.dropped.add([reason]);
    const now = seconds(clock);
    for (const { visitor, day: of, second } of hits) active.touch(visitor, of * DAY + second, now);
    return { accepted: hits.length, dropped: passed.length - hits.length };
  }

  async function takeCrawls(site: CollectedSite, passed: readonly PassedCrawl[]): Promise<Outcome> {
    const crawls: Crawl[] = [];
    for (const { url, agent, at } of passed) {
      const crawler = crawlerOf(agent);
      const moment = momentIn(at);
      if (!crawler || !moment || !site.tracksCrawlers || !isOnSite(site, url.hostname)) continue;
      crawls.push({ siteId: site.id, day: moment.day, crawler: crawler.id, page: pageOf(url.pathname) ?? '/' });
    }
    if (crawls.length > 0) await day.append([], crawls);
    return { accepted: crawls.length, dropped: passed.length - crawls.length };
  }

  function noteArrivals(): void {
    const told = arrived.told();
    try {
      if (told) noteUpkeep(db, 'visitors', { at: seconds(clock), ...told });
    } catch {
      // Where the disk takes nothing there is more to worry about, and it is logged with the hits.
    }
  }

  return {
    take,
    engage,
    takeHits,
    takeCrawls,
    /** Somebody came; for doctor, which tells from it whether a proxy hides the visitors. */
    saw: arrived.saw,
    /** How many hits are not on the disk yet. */
    waiting: day.waiting,
    /** Once a minute. The day may have changed: its codes are given up even if nobody comes. */
    turn(): void {
      knowledge.visitors.renew(momentOf(seconds(clock)).day);
      noteArrivals();
    },
    /** Writes what is still waiting, before the file is closed. */
    settle(): void {
      day.settle();
      noteArrivals();
    },
  };
}
