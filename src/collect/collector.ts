// Takes every message of browsers and servers, and passes hits on to the engine. Each message becomes a hit, or is
// dropped with a reason.
//
// Invariant: a message is answered only when its hit is on disk. A drop that depends on what a visitor sent before
// waits for the disk too, so that the time of the answer does not reveal it. A refused message leaves nothing, not even
// a count.
//
// Example: take() of a pageview resolves with undefined after the sync, or with 'bot' at once. collect/mount.ts calls
// take and engage for browsers, and api/hits.ts calls takeHits for servers.

import { isOnSite } from '../classify/host.ts';
import { keepPage } from '../classify/page.ts';
import type { Config } from '../config.ts';
import { DAY_FULL, type Moment } from '../engine/activity.ts';
import type { Intake } from '../engine/engine.ts';
import type { Problem } from '../lib/errors.ts';
import { isLocal, makeNetworkNumbers } from '../lib/http/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import type { CollectedSite } from '../store/sites/sites.ts';
import { rememberVisitors } from './active-visitors.ts';
import { countArrivals } from './arrivals.ts';
import { type Classifiers, makeClassifiers } from './classifiers.ts';
import { limitFlood } from './flood.ts';
import { cacheSites } from './known-sites.ts';
import { rememberRequests } from './last-requests.ts';
import { findMoment } from './moment.ts';
import { decideOutcome, findVisitor, type Reason, type Sender } from './outcome.ts';
import type { Engagement, Message } from './payload.ts';
import { watchRefusals } from './refusals.ts';
import { takeServerMessages } from './server-messages.ts';

type Deps = {
  config: Config;
  db: Db;
  intake: Intake;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
  /** The answer to browsers while no hit is taken; undefined if hits are. */
  refusal?: () => Problem | undefined;
};

/** Builds the collector of a server. */
export function buildCollector(given: Deps) {
  const refused = watchRefusals(given.db, given.clock);
  const deps = { ...given, intake: { ...given.intake, append: refused.watched(given.intake.append) } };
  const { config, db, intake, clock, meters } = deps;
  const classifiers = makeClassifiers(deps);
  const active = rememberVisitors(intake, clock);
  const last = rememberRequests();
  const findNetwork = makeNetworkNumbers(given.random);
  const visitorNetworks = countArrivals(clock, findNetwork, isLocal(new URL(config.baseUrl)));

  function noteArrivals(): void {
    const summary = visitorNetworks.summary();
    try {
      if (summary) noteUpkeep(db, 'visitors', { at: seconds(clock), ...summary });
    } catch {
      // With a full or broken disk this note fails too. The log has a line for the hits already.
    }
  }

  const messages = takeBrowserMessages(deps, classifiers, active, last, findNetwork);
  /** Wraps a function so that a refused message leaves nothing, not even a count. */
  const unlessRefused =
    <Args extends unknown[]>(take: (...args: Args) => Promise<Reason | undefined>) =>
    (...args: Args): Promise<Reason | undefined> => {
      const problem = given.refusal?.();
      return problem ? refused.refuse(problem) : take(...args);
    };

  return {
    take: unlessRefused(messages.take),
    engage: unlessRefused(messages.engage),
    ...takeServerMessages({ db, intake, classifiers, active, clock, meters }),
    /** Finds the latest request for a site since the start. */
    lastRequest: last.of,
    /** Notes a request that a collector on another machine has reported. */
    noteRequest: last.note,
    /** Lists the requests since a moment. */
    requestsSince: last.since,
    /** Gives the current outage if hits are refused now. */
    refusing: refused.running,
    /** Notes a sender, so that `daybook doctor` can report a proxy that hides visitors. */
    noteSender: visitorNetworks.note,
    /** Forgets keys of visitor codes. Call it when salts of running days were replaced. */
    resalt: () => classifiers.visitors.forget(),
    /** Overwrites salts of past days and forgets networks, even when no hit comes. */
    everyMinute(): void {
      messages.forgetNetworks();
      classifiers.visitors.renew(seconds(clock));
      noteArrivals();
    },
    /** Writes the last note. Call it before the file is closed. */
    settle: noteArrivals,
  };
}

export type Collector = ReturnType<typeof buildCollector>;

/** What became of a message: the reason of a drop, the write to wait for, and what is to do after it. */
type TakenMessage = { dropped: Reason | undefined; stored?: Promise<void>; after?: () => void };

/**
 * Waits for the write, then calls `after` and `note`. There is only one promise, because each async function in the way
 * of a hit takes as long as finding its country.
 */
function finishMessage({ dropped, stored, after }: TakenMessage, note?: () => void): Promise<Reason | undefined> {
  const end = (): Reason | undefined => {
    after?.();
    note?.();
    return dropped;
  };
  return stored ? stored.then(end) : Promise.resolve(end());
}

/** Makes the functions that count dropped messages. */
function makeDroppers({ intake, meters }: Pick<Deps, 'intake' | 'meters'>) {
  function unknown(): Reason {
    meters?.dropped.add(['unknown-site']);
    return 'unknown-site';
  }

  function drop(site: CollectedSite, { day }: Moment, reason: Reason): Reason {
    meters?.dropped.add([reason]);
    intake.countDrop({ siteId: site.id, day, reason, hits: 1 });
    return reason;
  }

  /**
   * Drops a message but waits for the disk as a hit does, so that the time of the answer does not reveal what the
   * visitor sent before.
   */
  function dropUnseen(site: CollectedSite, moment: Moment, reason: Reason): TakenMessage {
    return { dropped: drop(site, moment, reason), stored: intake.append({}) };
  }

  return { unknown, drop, dropUnseen };
}

/** Makes the functions that take messages of browsers. */
function takeBrowserMessages(
  { config, db, intake, clock, meters }: Deps,
  classifiers: Classifiers,
  active: ReturnType<typeof rememberVisitors>,
  last: ReturnType<typeof rememberRequests>,
  findNetwork: (address: string) => number,
) {
  const findSite = cacheSites(db, clock);
  const limit = limitFlood(config.flood, clock, findNetwork);

  const { unknown, drop, dropUnseen } = makeDroppers({ intake, meters });

  function takeMessage(
    site: CollectedSite,
    message: Message,
    sender: Sender,
    isPrefetch: boolean,
    now: number,
  ): TakenMessage {
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

  function takeEngagement(site: CollectedSite, message: Engagement, sender: Sender, now: number): TakenMessage {
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
    /** Takes a pageview or event. Resolves when the hit is on disk, or with the reason why it is dropped. */
    take(message: Message, sender: Sender, isPrefetch: boolean): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      const now = seconds(clock);
      const taken = takeMessage(site, message, sender, isPrefetch, now);
      const { hostname: host } = message.url;
      return finishMessage(taken, () => last.note({ siteId: site.id, at: now, dropped: taken.dropped, host }));
    },

    /** Takes a heartbeat, which is no hit but extends its visit. */
    engage(message: Engagement, sender: Sender): Promise<Reason | undefined> {
      const site = findSite(message.site.toLowerCase());
      if (!site) return Promise.resolve(unknown());
      return finishMessage(takeEngagement(site, message, sender, seconds(clock)));
    },

    forgetNetworks: limit.forget,
  };
}
