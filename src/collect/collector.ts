import { isOnSite } from '../classify/host.ts';
import { keptPageOf } from '../classify/page.ts';
import type { Config } from '../config.ts';
import { DAY_FULL, type Engine, type Moment } from '../engine.ts';
import { isLocal } from '../lib/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { CollectedSite } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { noteUpkeep } from '../store/upkeep.ts';
import { activeVisitors } from './active-visitors.ts';
import { arrivals } from './arrivals.ts';
import { type Classifiers, classifiersOf } from './classifiers.ts';
import { flood } from './flood.ts';
import { knownSites } from './known-sites.ts';
import { lastRequests } from './last-requests.ts';
import { momentOf } from './moment.ts';
import { outcomeOf, type Reason, type Sender, visitorOf } from './outcome.ts';
import type { Engagement, Message } from './payload.ts';
import { refusals } from './refusals.ts';
import { serverMessages } from './server-messages.ts';

export type Collector = ReturnType<typeof buildCollector>;

type Deps = {
  config: Config;
  db: Db;
  engine: Pick<Engine, 'append' | 'drop' | 'activeSince' | 'isFull' | 'isShared'>;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
};

/** What counts what is not counted. */
function droppers({ engine, meters }: Pick<Deps, 'engine' | 'meters'>) {
  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, { day }: Moment, reason: Reason): Reason {
    meters?.dropped.add([reason]);
    engine.drop({ siteId: site.id, day, reason, hits: 1 });
    return reason;
  }

  /** Waits for the disk as a hit does, so that the time of the answer does not tell either what the visitor sent before. */
  async function dropUnseen(site: CollectedSite, moment: Moment, reason: Reason): Promise<Reason> {
    drop(site, moment, reason);
    await engine.append({});
    return reason;
  }

  return { unknown, drop, dropUnseen };
}

/** Messages that browsers send, one at a time. */
function browserMessages(
  { config, db, engine, clock, meters }: Deps,
  classifiers: Classifiers,
  active: ReturnType<typeof activeVisitors>,
  last: ReturnType<typeof lastRequests>,
) {
  const siteOf = knownSites(db, clock);
  const limit = flood(config.flood, clock);

  const { unknown, drop, dropUnseen } = droppers({ engine, meters });

  /** What becomes of a message: at once, or when it is on disk. No async function, because each costs a tenth of what a hit does. */
  function takeFor(
    site: CollectedSite,
    message: Message,
    sender: Sender,
    isPrefetch: boolean,
    now: number,
  ): Reason | undefined | Promise<Reason | undefined> {
    const moment = momentOf(site, now);
    if (!limit.take(sender.address)) return dropUnseen(site, moment, 'flood');
    if (isPrefetch) return drop(site, moment, 'prefetch');

    const outcome = outcomeOf(classifiers, site, message, sender, moment);
    if ('hit' in outcome) {
      if (engine.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
      return engine.append({ activities: [outcome.hit] }).then(() => {
        active.touch(outcome.hit.visitor, now);
        return undefined;
      });
    }
    const { dropped, crawl } = outcome;
    if (dropped === 'excluded') return dropUnseen(site, moment, dropped);
    const isStored = crawl ? engine.append({ crawls: [crawl] }) : undefined;
    return isStored ? isStored.then(() => drop(site, moment, dropped)) : drop(site, moment, dropped);
  }

  return {
    /** Resolves when the hit is on disk, or with the reason why it is not counted. */
    async take(message: Message, sender: Sender, isPrefetch: boolean): Promise<Reason | undefined> {
      const site = siteOf(message.site.toLowerCase());
      if (!site) return unknown();
      const now = seconds(clock);
      const dropped = await takeFor(site, message, sender, isPrefetch, now);
      last.note({ siteId: site.id, at: now, dropped, host: message.url.hostname });
      return dropped;
    },

    /** How long a page was visible. This is not a hit, but it extends the visit. */
    async engage(message: Engagement, sender: Sender): Promise<Reason | undefined> {
      const site = siteOf(message.site.toLowerCase());
      if (!site) return unknown();
      const now = seconds(clock);
      const moment = momentOf(site, now);
      if (!isOnSite(site, message.url.hostname)) return drop(site, moment, 'foreign-host');
      if (!limit.take(sender.address)) return dropUnseen(site, moment, 'flood');

      if (classifiers.isExcluded(sender.address)) return dropUnseen(site, moment, 'excluded');
      if (engine.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
      const visitor = visitorOf(classifiers, site, moment, sender);
      const seen = active.engaged(visitor, now, Math.round(message.engaged / 1000));
      if (!seen) return dropUnseen(site, moment, 'no-visit');
      const page = keptPageOf(message.url, site.privatePaths);
      await engine.append({ activities: [{ siteId: site.id, ...moment, visitor, page, ...seen }] });
      active.touch(visitor, now);
      return undefined;
    },
  };
}

/** Takes every message from browsers and servers, and passes the hits on to the engine. */
export function buildCollector(given: Deps) {
  const refused = refusals(given.db, given.clock);
  const deps = { ...given, engine: { ...given.engine, append: refused.watched(given.engine.append) } };
  const { config, db, engine, clock, meters } = deps;
  const classifiers = classifiersOf(deps);
  const active = activeVisitors(engine, clock);
  const last = lastRequests();
  const visitorNetworks = arrivals(clock, isLocal(new URL(config.baseUrl)));

  function noteArrivals(): void {
    const summary = visitorNetworks.summary();
    try {
      if (summary) noteUpkeep(db, 'visitors', { at: seconds(clock), ...summary });
    } catch {
      // When the disk is full or broken, the hits that cannot be stored are logged; this note is not worth a line more.
    }
  }

  return {
    ...browserMessages(deps, classifiers, active, last),
    ...serverMessages({ db, engine, classifiers, active, clock, meters }),
    /** What was sent last for a site since the server runs. */
    lastRequest: last.of,
    /** What a collector on another machine tells of such a request. */
    noteRequest: last.note,
    /** What was sent at a moment or later. */
    requestsSince: last.since,
    /** The outage that lasts, if hits are refused at the moment. */
    refusing: refused.running,
    /** For `daybook doctor`, which reports whether a proxy hides the visitors. */
    noteSender: visitorNetworks.note,
    /** Call it when salts were replaced by others of the same days. */
    resalt: () => classifiers.visitors.forget(),
    /** Overwrites the salts of days that are over, even when no hit arrives. */
    everyMinute(): void {
      classifiers.visitors.renew(seconds(clock));
      noteArrivals();
    },
    /** Call it before the file is closed. */
    settle: noteArrivals,
  };
}
