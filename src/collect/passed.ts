import { crawlerOf } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { pageOf } from '../classify/page.ts';
import type { Crawl, Engine, Hit, Moment } from '../engine.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { CollectedSite } from '../store/sites.ts';
import type { activeVisitors } from './active-visitors.ts';
import type { Knowledge } from './knowledge.ts';
import { momentOf } from './moment.ts';
import type { Message } from './payload.ts';
import { type Reason, record } from './record.ts';

/** Hits and crawls that a server passes on. */
export type PassedHit = Omit<Message, 'site'> & { ip: string; agent: string; at?: number | undefined };
export type PassedCrawl = { url: URL; agent: string; at?: number | undefined };
export type Outcome = { accepted: number; dropped: number };

/** A clock of another server may be ahead by so much. */
const SKEW_SECONDS = 60;

type Deps = {
  engine: Pick<Engine, 'append'>;
  knowledge: Knowledge;
  active: ReturnType<typeof activeVisitors>;
  clock: Clock;
  meters?: Meters | undefined;
};

/** What servers pass on, in lists. */
export function passedOn({ engine, knowledge, active, clock, meters }: Deps) {
  /** Only today can still be added to: the salt of yesterday is gone, and with it whoever was a visitor then. */
  function momentIn(at: number | undefined): Moment | undefined {
    const now = seconds(clock);
    const moment = momentOf(Math.min(at ?? now, now));
    const isAhead = at !== undefined && at > now + SKEW_SECONDS;
    return isAhead || moment.day !== momentOf(now).day ? undefined : moment;
  }

  async function takeHits(site: CollectedSite, passed: readonly PassedHit[]): Promise<Outcome> {
    const today = momentOf(seconds(clock));
    const activities: Hit[] = [];
    const crawls: Crawl[] = [];
    const reasons: Reason[] = [];
    for (const { ip, agent, at, ...message } of passed) {
      const moment = momentIn(at);
      const outcome = moment ? record(knowledge, site, message, { address: ip, agent }, moment) : undefined;
      if (outcome && 'hit' in outcome) activities.push(outcome.hit);
      else reasons.push(outcome?.dropped ?? 'too-late');
      if (outcome && 'crawl' in outcome && outcome.crawl) crawls.push(outcome.crawl);
    }
    // All of it at once: what could not be stored is sent again, and would count twice.
    const drops = reasons.map((reason) => ({ siteId: site.id, day: today.day, reason, hits: 1 }));
    if (passed.length > 0) await engine.append({ activities, crawls, drops });
    for (const reason of reasons) meters?.dropped.add([reason]);
    const now = seconds(clock);
    for (const { visitor, day, second } of activities) active.touch(visitor, day * DAY + second, now);
    return { accepted: activities.length, dropped: passed.length - activities.length };
  }

  async function takeCrawls(site: CollectedSite, passed: readonly PassedCrawl[]): Promise<Outcome> {
    const crawls: Crawl[] = [];
    for (const { url, agent, at } of passed) {
      const crawler = crawlerOf(agent);
      const moment = momentIn(at);
      if (!crawler || !moment || !site.tracksCrawlers || !isOnSite(site, url.hostname)) continue;
      const page = pageOf(url.pathname) ?? '/';
      crawls.push({ siteId: site.id, day: moment.day, crawler: crawler.id, page, requests: 1 });
    }
    if (crawls.length > 0) await engine.append({ crawls });
    return { accepted: crawls.length, dropped: passed.length - crawls.length };
  }

  return { takeHits, takeCrawls };
}
