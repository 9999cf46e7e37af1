import { isOnSite } from '../classify/host.ts';
import { keepPage } from '../classify/page.ts';
import type { Config } from '../config.ts';
import { DAY_FULL, type Moment } from '../engine/activity.ts';
import type { Intake } from '../engine/engine.ts';
import type { Problem } from '../lib/errors.ts';
import { isLocal, networkNumbers } from '../lib/http/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import type { CollectedSite } from '../store/sites/sites.ts';
import { activeVisitors } from './active-visitors.ts';
import { arrivals } from './arrivals.ts';
import { type Classifiers, makeClassifiers } from './classifiers.ts';
import { flood } from './flood.ts';
import { knownSites } from './known-sites.ts';
import { lastRequests } from './last-requests.ts';
import { findMoment } from './moment.ts';
import { decideOutcome, findVisitor, type Reason, type Sender } from './outcome.ts';
import type { Engagement, Message } from './payload.ts';
import { refusals } from './refusals.ts';
import { serverMessages } from './server-messages.ts';

export type Collector = ReturnType<typeof buildCollector>;

type Deps = {
  config: Config;
  db: Db;
  intake: Intake;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
  /** What browsers are answered while nothing is taken. */
  refusal?: () => Problem | undefined;
};

/** Why a message is not counted, if it is not; when it is on the disk, if it must be; and what is done then. */
type Taken = { dropped: Reason | undefined; stored?: Promise<void>; after?: () => void };

/**
 * With one promise, because each async function on the way of a hit takes as long as to find its country. `note` is called last.
 */
function finished({ dropped, stored, after }: Taken, note?: () => void): Promise<Reason | undefined> {
  const end = (): Reason | undefined => {
    after?.();
    note?.();
    return dropped;
  };
  return stored ? stored.then(end) : Promise.resolve(end());
}

/** What counts what is not counted. */
function droppers({ intake, meters }: Pick<Deps, 'intake' | 'meters'>) {
  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, { day }: Moment, reason: Reason): Reason {
    meters?.dropped.add([reason]);
    intake.countDrop({ siteId: site.id, day, reason, hits: 1 });
    return reason;
  }

  /** Waits for the disk as a hit does, so that the time of the answer does not tell either what the visitor sent before. */
  function dropUnseen(site: CollectedSite, moment: Moment, reason: Reason): Taken {
    return { dropped: drop(site, moment, reason), stored: intake.append({}) };
  }

  return { unknown, drop, dropUnseen };
}

/** Messages that browsers send, one at a time. */
function browserMessages(
  { config, db, intake, clock, meters }: Deps,
  classifiers: Classifiers,
  active: ReturnType<typeof activeVisitors>,
  last: ReturnType<typeof lastRequests>,
  findNetwork: (address: string) => number,
) {
  const findSite = knownSites(db, clock);
  const limit = flood(config.flood, clock, findNetwork);

  const { unknown, drop, dropUnseen } = droppers({ intake, meters });

  function takeMessage(site: CollectedSite, message: Message, sender: Sender, isPrefetch: boolean, now: number): Taken {
    const moment = findMoment(site, now);
    if (!limit.take(sender.address)) return dropUnseen(site, moment, 'flood');
    if (isPrefetch) return { dropped: drop(site, moment, 'prefetch') };

    const outcome = decideOutcome(classifiers, site, message, sender, moment);
    if ('hit' in outcome) {
      const { hit } = outcome;
      if (intake.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
      const stored = intake.append({ activities: [hit] });
      return { dropped: undefined, stored, after: () => active.touch(hit.visitor, now) };
    }
    const { dropped, crawl } = outcome;
    if (dropped === 'excluded') return dropUnseen(site, moment, dropped);
    if (!crawl) return { dropped: drop(site, moment, dropped) };
    return { dropped, stored: intake.append({ crawls: [crawl] }), after: () => drop(site, moment, dropped) };
  }

  function takeEngagement(site: CollectedSite, message: Engagement, sender: Sender, now: number): Taken {
    const moment = findMoment(site, now);
    if (!isOnSite(site, message.url.hostname)) return { dropped: drop(site, moment, 'foreign-host') };
    if (!limit.take(sender.address)) return dropUnseen(site, moment, 'flood');

    if (classifiers.isExcluded(sender.address)) return dropUnseen(site, moment, 'excluded');
    if (intake.isFull(site.id, moment.day)) return dropUnseen(site, moment, DAY_FULL);
    const visitor = findVisitor(classifiers, site, moment, sender);
    const seen = active.engaged(visitor, now, Math.round(message.engaged / 1000));
    if (!seen) return dropUnseen(site, moment, 'no-visit');
    const page = keepPage(message.url, site.privatePaths);
    const stored = intake.append({ activities: [{ siteId: site.id, ...moment, visitor, page, ...seen }] });
    return { dropped: undefined, stored, after: () => active.touch(visitor, now) };
  }

  return {
    /** Resolves when the hit is on disk, or with the reason why it is not counted. */
    take(message: Message, sender: Sender, isPrefetch: boolean): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      const now = seconds(clock);
      const taken = takeMessage(site, message, sender, isPrefetch, now);
      const { hostname: host } = message.url;
      return finished(taken, () => last.note({ siteId: site.id, at: now, dropped: taken.dropped, host }));
    },

    /** How long a page was visible. This is not a hit, but it extends the visit. */
    engage(message: Engagement, sender: Sender): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      return finished(takeEngagement(site, message, sender, seconds(clock)));
    },

    forgetNetworks: limit.forget,
  };
}

/** Takes every message from browsers and servers, and passes the hits on to the engine. */
export function buildCollector(given: Deps) {
  const refused = refusals(given.db, given.clock);
  const deps = { ...given, intake: { ...given.intake, append: refused.watched(given.intake.append) } };
  const { config, db, intake, clock, meters } = deps;
  const classifiers = makeClassifiers(deps);
  const active = activeVisitors(intake, clock);
  const last = lastRequests();
  const findNetwork = networkNumbers(given.random);
  const visitorNetworks = arrivals(clock, findNetwork, isLocal(new URL(config.baseUrl)));

  function noteArrivals(): void {
    const summary = visitorNetworks.summary();
    try {
      if (summary) noteUpkeep(db, 'visitors', { at: seconds(clock), ...summary });
    } catch {
      // When the disk is full or broken, the hits that cannot be stored are logged; this note is not worth a line more.
    }
  }

  const messages = browserMessages(deps, classifiers, active, last, findNetwork);
  /** A message that is refused leaves nothing, not even a count. */
  const unlessRefused =
    <Args extends unknown[]>(take: (...args: Args) => Promise<Reason | undefined>) =>
    (...args: Args): Promise<Reason | undefined> => {
      const problem = given.refusal?.();
      return problem ? refused.refuse(problem) : take(...args);
    };

  return {
    take: unlessRefused(messages.take),
    engage: unlessRefused(messages.engage),
    ...serverMessages({ db, intake, classifiers, active, clock, meters }),
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
    /** Overwrites the salts of days that are over, and lets go of networks, even when no hit arrives. */
    everyMinute(): void {
      messages.forgetNetworks();
      classifiers.visitors.renew(seconds(clock));
      noteArrivals();
    },
    /** Call it before the file is closed. */
    settle: noteArrivals,
  };
}
