// Takes the messages of browsers: pageviews, events, heartbeats and web vitals. A message becomes a hit for the engine,
// or is dropped with a reason.
//
// Invariant: each message adds a hit or a heartbeat, or counts as dropped with its reason. There are two exceptions:
// messages from a developer's own machine, and web vitals that the site does not collect.
//
// Example: a heartbeat of 12 s comes from a visitor who was active two minutes ago. The heartbeat is stored, and the
// visitor stays active. Without a visit before it, a heartbeat is dropped with the reason `no-visit`. collector.ts
// calls `takeBrowserMessages`.

import { isLocalHost, isOnSite } from '../classify/host.ts';
import { keepPage } from '../classify/page.ts';
import type { Config } from '../config.ts';
import { DAY_FULL, type Moment } from '../engine/activity.ts';
import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { packVitals } from '../stats/vitals.ts';
import type { Db } from '../store/db.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import type { rememberVisitors } from './active-visitors.ts';
import type { Classifiers } from './classifiers.ts';
import { findFirstCurrency, noteFirstCurrency } from './first-currency.ts';
import { limitFlood } from './flood.ts';
import { cacheSites } from './known-sites.ts';
import type { rememberRequests } from './last-requests.ts';
import { findMoment } from './moment.ts';
import { type Client, decideOutcome, findVisitor, type Reason } from './outcome.ts';
import type { Engagement, Measurement, Message } from './payload.ts';

type Deps = {
  config: Config;
  db: Db;
  intake: Intake;
  clock: Clock;
  meters?: Meters | undefined;
};

export function takeBrowserMessages(
  { config, db, intake, clock, meters }: Deps,
  classifiers: Classifiers,
  active: ReturnType<typeof rememberVisitors>,
  last: ReturnType<typeof rememberRequests>,
  findNetwork: (address: string) => number,
) {
  const findSite = cacheSites(db, clock);
  const limit = limitFlood(config.flood, clock, findNetwork);

  const droppers = makeDroppers({ intake, meters });
  const { unknown, drop, dropUnseen, dropForeign } = droppers;

  function takeMessage(
    site: CollectedSite,
    message: Message,
    client: Client,
    isPrefetch: boolean,
    now: number,
  ): TakenMessage {
    const moment = findMoment(site, now);
    if (!limit.take(client.address)) return dropUnseen(site, moment, 'flood');
    if (isPrefetch) return { dropped: drop(site, moment, 'prefetch') };

    const outcome = decideOutcome(classifiers, site, message, client, moment);
    if ('hit' in outcome) {
      const { hit } = outcome;
      if (intake.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
      const stored = intake.append({ activities: [hit] });
      const currency = findFirstCurrency(site, hit);
      return { dropped: undefined, stored, currency, after: () => active.touch(hit.visitor, now) };
    }
    const { dropped, crawl, block } = outcome;
    if (dropped === 'foreign-host') return { dropped: dropForeign(site, moment, message) };
    if (dropped === 'excluded' || dropped === 'blocked') return dropUnseen(site, moment, dropped, block);
    if (!crawl) return { dropped: drop(site, moment, dropped) };
    return { dropped, stored: intake.append({ crawls: [crawl] }), after: () => drop(site, moment, dropped) };
  }

  const { takeEngagement, takeMeasurement } = takeHeartbeats({ intake, classifiers, active, limit, droppers });

  return {
    /** Resolves when the hit is on disk. If the hit was dropped, resolves with the reason. */
    take(message: Message, client: Client, isPrefetch: boolean): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      const now = seconds(clock);
      const taken = takeMessage(site, message, client, isPrefetch, now);
      const { hostname: host } = message.url;
      const { dropped, currency } = taken;
      return finishMessage(taken, () => {
        last.note({ siteId: site.id, at: now, dropped, host, currency });
        noteFirstCurrency(db, site.id, currency);
      });
    },

    engage(message: Engagement, client: Client): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      return finishMessage(takeEngagement(site, message, client, seconds(clock)));
    },

    /**
     * Stores the web vitals of a page. Resolves when they are on disk. If they were dropped, resolves with the reason.
     */
    measure(message: Measurement, client: Client): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      return finishMessage(takeMeasurement(site, message, client, seconds(clock)));
    },

    forgetNetworks: limit.forget,
  };
}

/**
 * What became of a message. `dropped` is the reason, if the message was dropped. `stored` resolves when the message's
 * hit, heartbeat or crawl is on disk. Some drops store nothing, but `stored` waits for the disk all the same.
 *
 * After `stored`, the function `after` records that the visitor is active, or counts the drop of an AI crawler's
 * message. If the write failed, `after` is not called. The client gets its response after `stored` and `after`.
 * `currency` is set if the hit has the first revenue of its site.
 */
type TakenMessage = {
  dropped: Reason | undefined;
  stored?: Promise<void>;
  currency?: string | undefined;
  after?: () => void;
};

/**
 * Waits until the hit is on disk, and then calls `after` and `note`. This function is not async, because an await takes
 * as long as finding the country of an IP address.
 */
function finishMessage({ dropped, stored, after }: TakenMessage, note?: () => void): Promise<Reason | undefined> {
  const end = (): Reason | undefined => {
    after?.();
    note?.();
    return dropped;
  };
  return stored ? stored.then(end) : Promise.resolve(end());
}

function makeDroppers({ intake, meters }: Pick<Deps, 'intake' | 'meters'>) {
  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, { day }: Moment, reason: Reason, block = 0): Reason {
    meters?.dropped.add([reason]);
    intake.countDrop({ siteId: site.id, day, reason, block, hits: 1 });
    return reason;
  }

  /**
   * Drops a message, but responds only after a write to disk, as for a stored hit. Otherwise, a website could learn
   * from a quick response that its visitor is excluded or was active before.
   */
  function dropUnseen(site: CollectedSite, moment: Moment, reason: Reason, block?: number): TakenMessage {
    return { dropped: drop(site, moment, reason, block), stored: intake.append({}) };
  }

  /**
   * Drops a message from another host. If the host is a developer's own machine, the drop is not counted, because such
   * visits are only tests.
   */
  function dropForeign(site: CollectedSite, moment: Moment, { url }: Pick<Message, 'url'>): Reason {
    return isLocalHost(url.hostname) ? 'foreign-host' : drop(site, moment, 'foreign-host');
  }

  return { unknown, drop, dropUnseen, dropForeign };
}

type HeartbeatDeps = Pick<Deps, 'intake'> & {
  classifiers: Classifiers;
  active: ReturnType<typeof rememberVisitors>;
  limit: ReturnType<typeof limitFlood>;
  droppers: ReturnType<typeof makeDroppers>;
};

/**
 * Takes heartbeats and web vitals. Such a message belongs to a visit that is still running. Without such a visit, the
 * message is dropped.
 */
function takeHeartbeats({ intake, classifiers, active, limit, droppers: { dropUnseen, dropForeign } }: HeartbeatDeps) {
  function takeEngagement(site: CollectedSite, message: Engagement, client: Client, now: number): TakenMessage {
    const moment = findMoment(site, now);
    if (!isOnSite(site, message.url.hostname)) return { dropped: dropForeign(site, moment, message) };
    if (!limit.take(client.address)) return dropUnseen(site, moment, 'flood');
    return storeHeartbeat(site, message, client, { moment, now });
  }

  function storeHeartbeat(
    site: CollectedSite,
    message: Engagement,
    client: Client,
    { moment, now, vitals }: { moment: Moment; now: number; vitals?: number },
  ): TakenMessage {
    if (classifiers.isExcluded(client.address)) return dropUnseen(site, moment, 'excluded');
    if (intake.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
    const visitor = findVisitor(classifiers, site, moment, client);
    const seen = active.engaged(visitor, now, Math.round(message.engaged / 1000));
    if (!seen) return dropUnseen(site, moment, 'no-visit');
    const page = keepPage(message.url, site);
    const { scroll } = message;
    const told = vitals === undefined ? { scroll, ...seen } : { ...seen, vitals };
    const stored = intake.append({ activities: [{ siteId: site.id, ...moment, visitor, page, ...told }] });
    return { dropped: undefined, stored, after: () => active.touch(visitor, now) };
  }

  /**
   * Stores web vitals like a heartbeat of 0 seconds. First checks the host and the limit. Then, if the site's setting
   * `track_vitals` is off, ignores the web vitals and counts no drop. Pages may send web vitals before it is on.
   */
  function takeMeasurement(site: CollectedSite, message: Measurement, client: Client, now: number): TakenMessage {
    const moment = findMoment(site, now);
    if (!isOnSite(site, message.url.hostname)) return { dropped: dropForeign(site, moment, message) };
    if (!limit.take(client.address)) return dropUnseen(site, moment, 'flood');
    const vitals = packVitals(message.vitals);
    if (!site.tracksVitals || vitals === 0) return { dropped: undefined, stored: intake.append({}) };
    return storeHeartbeat(site, { ...message, engaged: 0 }, client, { moment, now, vitals });
  }

  return { takeEngagement, takeMeasurement };
}
