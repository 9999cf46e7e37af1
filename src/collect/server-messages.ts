// Takes lists of hits and of crawler requests that the server of a site sends.
//
// Invariant: either all hits of a list are stored or none, because the server sends a failed list again. Only hits of
// today are accepted, because other days have no salt. After every ten entries of a list, other requests get a turn.
//
// Example: a list of 100 hits has 3 hits from yesterday and 2 hits of bots. The result is `{ accepted: 95, dropped: 5
// }`. api/hits.ts calls these functions.

import { findCrawler } from '../classify/crawlers.ts';
import { isOnSite } from '../classify/host.ts';
import { keepPage } from '../classify/page.ts';
import { type Crawl, DAY_FULL, type Hit, type Moment } from '../engine/activity.ts';
import type { Intake } from '../engine/engine.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { takeInTurns } from '../lib/turns.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Meters } from '../metrics/meters.ts';
import { makeCalendar } from '../stats/calendar.ts';
import type { Db } from '../store/db.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import { listZoneChanges } from '../store/sites/zones.ts';
import type { rememberVisitors } from './active-visitors.ts';
import type { Classifiers } from './classifiers.ts';
import { findFirstCurrency, noteFirstCurrency } from './first-currency.ts';
import { decideOutcome, type Reason } from './outcome.ts';
import type { Message } from './payload.ts';

/** A hit that the web server of a site passes on. `at` is the time of the hit, in seconds since 1970. */
export type PassedHit = Omit<Message, 'site'> & { ip: string; agent: string; at?: number | undefined };
export type PassedCrawl = { url: URL; agent: string; at?: number | undefined };
export type Counts = { accepted: number; dropped: number };

type Deps = {
  db: Db;
  intake: Pick<Intake, 'append' | 'isFull'>;
  classifiers: Classifiers;
  active: ReturnType<typeof rememberVisitors>;
  clock: Clock;
  meters?: Meters | undefined;
};

export function takeServerMessages({ db, intake, classifiers, active, clock, meters }: Deps) {
  const findToday = makeFinder({ db, clock });

  async function takeHits(site: CollectedSite, hits: readonly PassedHit[]): Promise<Counts> {
    const activities: Hit[] = [];
    const crawls: Crawl[] = [];
    const dropped: { reason: Reason; block?: number | undefined }[] = [];
    let today = findToday(site);
    await takeInTurns(hits, ENTRIES_A_TURN, (some) => {
      // Midnight may have passed since the previous ten entries, because other requests had a turn meanwhile.
      today = findToday(site);
      const isFull = intake.isFull(site.id, today.day);
      for (const { ip, agent, at, ...message } of some) {
        const moment = today.findMoment(at);
        const outcome = moment ? decideOutcome(classifiers, site, message, { address: ip, agent }, moment) : undefined;
        if (outcome && 'hit' in outcome && isFull) dropped.push({ reason: DAY_FULL });
        else if (outcome && 'hit' in outcome) activities.push(outcome.hit);
        else dropped.push({ reason: outcome?.dropped ?? 'too-late', block: outcome?.block });
        if (outcome && 'crawl' in outcome && outcome.crawl) crawls.push(outcome.crawl);
      }
    });
    // All hits of the list are stored in one transaction, because the web server sends a failed list again. If only
    // half of the list were stored, this half would count twice.
    const drops = dropped.map((one) => ({ siteId: site.id, day: today.day, ...one, hits: 1 }));
    if (hits.length > 0) await intake.append({ activities, crawls, drops });
    for (const { reason } of dropped) meters?.dropped.add([reason]);
    for (const { visitor, day, second } of activities) active.touch(visitor, day * DAY + second);
    const [currency] = activities.flatMap((hit) => findFirstCurrency(site, hit) ?? []);
    noteFirstCurrency(db, site.id, currency);
    return { accepted: activities.length, dropped: hits.length - activities.length };
  }

  async function takeCrawls(site: CollectedSite, passed: readonly PassedCrawl[]): Promise<Counts> {
    const crawls: Crawl[] = [];
    await takeInTurns(passed, ENTRIES_A_TURN, (some) => {
      const today = findToday(site);
      for (const { url, agent, at } of some) {
        const crawler = findCrawler(agent);
        const moment = today.findMoment(at);
        if (!crawler || !moment || !site.tracksCrawlers || !isOnSite(site, url.hostname)) continue;
        const page = keepPage({ pathname: url.pathname, search: url.search, hash: '' }, site);
        crawls.push({ siteId: site.id, day: moment.day, crawler: crawler.id, page, requests: 1 });
      }
    });
    if (crawls.length > 0) await intake.append({ crawls });
    return { accepted: crawls.length, dropped: passed.length - crawls.length };
  }

  return { takeHits, takeCrawls };
}

type Today = { day: number; findMoment(at: number | undefined): Moment | undefined };

/**
 * Makes the function that finds today's date at a site. The function's result has a `findMoment`, which finds the day
 * and second of a time. For a time before today, `findMoment` returns undefined. A hit of a past day cannot be stored,
 * because the salt for its visitor code is missing. For a time more than `SKEW_SECONDS` ahead, the result is undefined
 * too.
 */
const makeFinder =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  (site: CollectedSite): Today => {
    const now = seconds(clock);
    const day = findSiteDay(site, now);
    const begin = makeCalendar(site.timeZone, listZoneChanges(db, site.id), new Map()).findStart(day);
    return {
      day,
      findMoment(at = now) {
        if (at < begin || at > now + SKEW_SECONDS) return undefined;
        return { day, second: Math.min(at, now) - day * DAY };
      },
    };
  };

/**
 * After this many entries of a list, other requests get a turn. On a site with many patterns for private paths, a hit
 * with a long path takes 1 ms. Without turns, a list of 1,000 entries would delay all other hits by a second.
 */
const ENTRIES_A_TURN = 10;

/**
 * How far in the future a web server may date a hit, in seconds, because its clock may be ahead. Hits that are dated
 * later are dropped.
 */
const SKEW_SECONDS = 60;
