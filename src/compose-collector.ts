// A collector is a program on a machine of its own. It accepts hits and sends them to the ClickHouse servers of a
// cluster. The outbox of the collector has the hits that were not sent yet. The primary sends the sites, the salts and
// the settings to the collector.
//
// Invariant: a hit is answered with 202 only after the hit is in the outbox. After its first start, a collector also
// works while its primary is down.
//
// Example: `daybook collect --primary https://stats.example.com …` waits for the first response of the primary. Then
// the collector accepts hits and sends them to the ClickHouse servers. The command `collect` and tests call
// `composeCollector`.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildCollectorApp } from './app.ts';
import { buildIntake } from './cluster/outbox/intake.ts';
import { findReach } from './cluster/outbox/reach.ts';
import { buildCollector } from './collect/collector.ts';
import type { RemovedSalt } from './collect/removed-salts.ts';
import { buildPrimaryClock, type PrimaryClock } from './collectors/clock.ts';
import { buildGate } from './collectors/gate.ts';
import { makeRoomToOpen, watchReserve } from './collectors/reserve.ts';
import { makeOwnSearch } from './collectors/search.ts';
import { buildTokenCheck } from './collectors/token-check.ts';
import { buildListener, buildReporter, type CollectorParts, EVERY_MS, measureSize, meet } from './collectors/touch.ts';
import { formatUsageMonth } from './commit/plan-usage.ts';
import type { Runtime } from './compose.ts';
import { type Config, withPort } from './config.ts';
import { loadScript } from './embedded/script.ts';
import { loadThreadCode } from './embedded/thread.ts';
import { type Activity, isHit } from './engine/activity.ts';
import { type Listening, listen } from './http/server.ts';
import { hasRoomFor } from './lib/disk.ts';
import { Refusal, UNUSABLE, USAGE } from './lib/errors.ts';
import { warnOfOpenSecret } from './lib/secret-file.ts';
import { DAY, seconds } from './lib/time.ts';
import { watchTrouble } from './lib/trouble.ts';
import { addCollectorGauges } from './metrics/gauges.ts';
import { type Meters, makeMeters } from './metrics/meters.ts';
import type { TakenHits } from './store/cluster/collectors.ts';
import { type Outbox, openOutbox } from './store/cluster/outbox.ts';
import { findSender } from './store/cluster/outbox-sender.ts';
import { addTaken } from './store/cluster/outbox-taken.ts';
import { hasSite } from './store/sites/sites.ts';

const UPKEEP_MS = 60_000;
/** When a collector stops, it continues to send hits for at most 5 s. Remaining hits are sent after the next start. */
const LAST_MS = 5_000;

/**
 * Builds a collector. Waits until the primary has responded for the first time. Returns undefined if `stop` aborts
 * before that.
 */
export async function composeCollector(config: Config, machine: Runtime, stop: AbortSignal) {
  const { random, log } = machine;
  const { primary } = config;
  if (primary === undefined) throw new Refusal('--primary names the server of which this is a collector', USAGE);
  const secret = readSecret(config);
  warnOfOpenSecret(config.secretFile, log);
  makeRoomToOpen(config.outbox);
  const file = openOutbox(config.outbox, `collector-${random(8).toString('hex')}`);
  const { db, path } = file;
  const clock = buildPrimaryClock(machine.clock, db);
  const runtime = { ...machine, clock, wall: machine.clock };
  try {
    const { ask, setParts, findSilence } = buildReporter(file, primary, secret, runtime);
    // With its first response, the primary may tell this collector to delete salts. The object that must know these
    // salts (`collector`) does not exist yet. So they are kept here, and given to `collector.resalt` below.
    let removed: readonly RemovedSalt[] = [];
    const askFirst = async () => {
      ({ removed } = await ask());
    };
    if (!(await meet(db, askFirst, log, stop))) {
      file.close();
      return undefined;
    }
    const code = await loadThreadCode();
    const meters = config.metricsToken === undefined ? undefined : makeMeters(clock);
    const intake = openIntake(file, config, runtime, meters);
    const gate = buildGate(clock.isKnown);
    const refusal = () => gate.refusal() ?? intake.findRefusal();
    const collector = buildCollector({ config, db, intake, clock, random, log, meters, refusal });
    const parts = { intake, collector, gate, tokens: buildTokenCheck(db, clock) };
    setParts(parts);
    collector.resalt(removed);
    const lag = () => seconds(clock) - intake.readProgress().until;
    if (meters)
      addCollectorGauges(meters, {
        waiting: intake.countWaiting,
        bytes: () => measureSize(path),
        lag,
        heardAgo: findSilence,
      });
    return {
      db,
      ...parts,
      ...buildRunning({ config, runtime, file, code, meters, ...parts, ...buildListener(db, ask, parts, runtime) }),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Refusal(`--secret-file: ${(error as Error).message}`, UNUSABLE);
  }
}

function readSecret({ secretFile }: Config): string {
  if (secretFile === undefined) throw new Refusal('--secret-file names the file of the secret', USAGE);
  const text = readText(secretFile);
  if (!/^[\x21-\x7e]{16,}$/.test(text)) throw new Refusal(`${secretFile} has no secret of a collector`, UNUSABLE);
  return text;
}

/** Counts the hits of each site and month, without heartbeats. */
function countTaken(activities: readonly Activity[]): TakenHits[] {
  const counts = new Map<string, TakenHits>();
  for (const one of activities) {
    if (!isHit(one)) continue;
    const { siteId, day, second } = one;
    const month = formatUsageMonth(day + Math.floor(second / DAY));
    const key = `${siteId} ${month}`;
    const known = counts.get(key);
    if (known) known.hits++;
    else counts.set(key, { siteId, month, hits: 1 });
  }
  return [...counts.values()];
}

/**
 * Opens the intake of a collector. Hits are also counted by site and month, because the plan of an account limits the
 * hits of a month.
 */
const openIntake = (
  file: Outbox,
  config: Config,
  runtime: Pick<Runtime, 'clock' | 'log'>,
  meters: Meters | undefined,
) =>
  buildIntake(file, {
    ...runtime,
    meters,
    reach: findReach(file.db),
    ack: config.ack,
    number: findSender(file.db).number,
    capacity: config.dayCapacity,
    siteExists: (siteId) => hasSite(file.db, siteId),
    within(activities) {
      for (const one of countTaken(activities)) addTaken(file.db, one);
    },
  });

/**
 * Calls `work` now, and then every `ms` milliseconds. A call is skipped while an earlier call still runs. `work` must
 * not throw.
 */
function startRegular(work: () => Promise<void>, ms: number) {
  let running: Promise<void> | undefined;
  const begin = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(begin, ms);
  begin();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

type Running = CollectorParts & {
  config: Config;
  runtime: Runtime & { clock: PrimaryClock };
  file: Outbox;
  code: string;
  meters: Meters | undefined;
  look(): Promise<void>;
  settle(): void;
};

function buildRunning({ config, runtime, file, code, meters, intake, collector, gate, tokens, look, settle }: Running) {
  const { clock, random, log } = runtime;
  const { db, path } = file;
  let listening: Listening | undefined;
  let regular: { stop(): Promise<void> }[] = [];
  const failures = watchTrouble(log, clock, 'upkeeps failed, in all');
  const search = makeOwnSearch(file, { code, random, clock, log, collector });
  const lookAtDisk = watchReserve(file, { gate, intake, log, random });

  /**
   * Deletes salts of past days, and empties the write-ahead log of SQLite. Otherwise, that log would still contain
   * deleted salts and sent hits.
   */
  async function everyMinute(): Promise<void> {
    try {
      clock.keep();
      // With a wrong time, this call could delete today's salts. Then today's visitors would get new codes, and would
      // count twice.
      if (clock.isKnown()) collector.everyMinute();
      db.emptyWal();
      failures.worked();
    } catch (error) {
      const { message } = error as Error;
      failures.failed(message, 'the upkeep failed. The collector tries again in a minute', { message });
    }
  }

  return {
    look,
    lookAtDisk,
    everyMinute,
    search: search.run,
    /**
     * Returns the configuration with the port that the collector listens on. With the setting 0, the system chooses the
     * port.
     */
    async listen(): Promise<Config> {
      let actual = config;
      const core = { db, clock, log, collector, script: await loadScript(), meters, checkSender: tokens.checkSender };
      const accepting = () => gate.closed() === null && (listening?.accepting() ?? true);
      const health = { accepting, hasRoom: hasRoomFor(path), refusal: intake.findRefusal };
      listening = await listen(config, { random, clock, log }, (port) => {
        actual = withPort(config, port);
        return buildCollectorApp({ ...core, config: actual, health });
      });
      return actual;
    },
    work(): void {
      const [exchanges, disk] = [startRegular(look, EVERY_MS), startRegular(async () => lookAtDisk(), EVERY_MS)];
      regular = [exchanges, disk, startRegular(everyMinute, UPKEEP_MS), startRegular(search.run, UPKEEP_MS)];
    },
    async stop(): Promise<void> {
      await Promise.all([listening?.stop(), search.stop()]);
      await Promise.all(regular.map((one) => one.stop()));
      collector.settle();
      intake.settle();
      const isSending = !gate.isShut('refused');
      if (isSending) await Promise.race([intake.ship(), pause(LAST_MS, undefined, { ref: false })]);
      await look();
      clock.keep();
      settle();
      failures.settle();
      await intake.close();
      search.release();
    },
  };
}
