// Takes every message of browsers and servers. A message becomes a hit for the engine, or is dropped with a reason. In
// this folder, the word "collector" means this code. A machine of a cluster that is called a collector also runs this
// code.
//
// Invariant: a message gets a response only after its hit is on disk. A website must not notice some drops, for example
// that a visitor's IP address is excluded. The response to such a message waits for the disk too, like the response to
// a hit. A refused message (status 503, for example on a full disk) is not counted at all.
//
// Example: take() of a pageview resolves with undefined after the hit is on disk. For a bot, it resolves with 'bot'
// immediately. collect/mount.ts calls take, engage and measure for browsers, and api/hits.ts calls takeHits for
// servers.

import type { Config } from '../config.ts';
import type { Intake } from '../engine/engine.ts';
import type { Problem } from '../lib/errors.ts';
import { isLocal, makeNetworkNumbers } from '../lib/http/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { rememberVisitors } from './active-visitors.ts';
import { countArrivals } from './arrivals.ts';
import { takeBrowserMessages } from './browser-messages.ts';
import { makeClassifiers } from './classifiers.ts';
import { rememberRequests } from './last-requests.ts';
import type { Reason } from './outcome.ts';
import { watchRefusals } from './refusals.ts';
import type { RemovedSalt } from './removed-salts.ts';
import { takeServerMessages } from './server-messages.ts';

type Deps = {
  config: Config;
  db: Db;
  intake: Intake;
  clock: Clock;
  random: Random;
  log: Log;
  meters?: Meters | undefined;
  /**
   * Returns the error with which all hits must be refused now, or undefined. For example, a machine of a cluster (a
   * collector) that is being retired refuses all hits.
   */
  refusal?: () => Problem | undefined;
};

export function buildCollector(given: Deps) {
  const refused = watchRefusals(given.db, given.clock);
  const intakeOfAll = { ...given.intake, append: refused.watched(given.intake.append) };
  const deps = { ...given, intake: intakeOfAll };
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
      // On a full disk, the summary of visitors' networks cannot be written. The error is ignored, because the log
      // already has a line about hits that could not be stored.
    }
  }

  const messages = takeBrowserMessages(deps, classifiers, active, last, findNetwork);
  /**
   * Makes `take` refuse messages while there is a reason to refuse. This machine counts a refused message neither as a
   * hit nor as a drop. A load balancer may send the message to another machine.
   */
  const unlessRefused =
    <Args extends unknown[]>(take: (...args: Args) => Promise<Reason | undefined>) =>
    (...args: Args): Promise<Reason | undefined> => {
      const problem = given.refusal?.();
      return problem ? refused.refuse(problem) : take(...args);
    };

  return {
    take: unlessRefused(messages.take),
    engage: unlessRefused(messages.engage),
    measure: unlessRefused(messages.measure),
    ...takeServerMessages({ db, intake, classifiers, active, clock, meters }),
    /** The fingerprints of removed salts. jobs/forgetting.ts checks daily that no file still contains these salts. */
    removedSalts: classifiers.visitors.removedSalts,
    lastRequest: last.of,
    /** Remembers the last request of a site that another machine of the cluster has reported. */
    noteRequest: last.note,
    requestsSince: last.since,
    /** Returns the outage in which hits are refused now. Returns undefined if hits are stored. */
    refusing: refused.running,
    /**
     * Counts the network of a client, so that `daybook doctor` can notice a proxy that hides visitors' IP addresses.
     */
    noteClient: visitorNetworks.note,
    /**
     * Says, for `daybook doctor`, whether a proxy seems to hide visitors' IP addresses. Returns undefined if there was
     * no visitor in the last hour.
     */
    summarizeClients: visitorNetworks.summary,
    /**
     * Deletes the keys for visitor codes from memory. A machine of a cluster calls this after it has received new salts
     * from the primary. The new salts may replace its own salts. With a key made from a replaced salt, one visitor
     * would have different codes on different machines. Then jobs/forgetting.ts checks that no file of this machine
     * still contains a `removed` salt.
     */
    resalt: (removed: readonly RemovedSalt[]) => classifiers.visitors.forget(removed),
    /**
     * Deletes the salts of past days, even if no hit arrives. With such a salt, somebody could match visitor codes to
     * IP addresses. Also forgets past visitors and networks, and writes the summary of visitors' networks.
     */
    everyMinute(): void {
      messages.forgetNetworks();
      active.forget(seconds(clock));
      classifiers.visitors.renew(seconds(clock));
      noteArrivals();
    },
    /**
     * Writes the last summary of visitors' networks, for `daybook doctor`. Must be called before the database is
     * closed.
     */
    settle: noteArrivals,
  };
}

export type Collector = ReturnType<typeof buildCollector>;
