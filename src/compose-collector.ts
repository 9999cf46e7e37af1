import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildCollectorApp } from './app.ts';
import { script } from './assets/script.ts';
import { version } from './assets/version.ts';
import { addressOf } from './cluster/address.ts';
import { intakeOver, type OverOutbox, type Reach } from './cluster/intake.ts';
import { type Node, nodesOf } from './cluster/nodes.ts';
import { progressOf } from './cluster/outbox.ts';
import { buildCollector, type Collector } from './collect/collector.ts';
import { exchange, type Heard, Unknown } from './collectors/primary.ts';
import type { Runtime } from './compose.ts';
import { type Config, withPort } from './config.ts';
import { type Activity, isHit } from './engine.ts';
import { monthOn } from './intake/usage.ts';
import { hasRoomFor } from './lib/disk.ts';
import { Refusal, UNUSABLE, USAGE } from './lib/errors.ts';
import { DAY, seconds } from './lib/time.ts';
import { trouble } from './lib/trouble.ts';
import { addCollectorGauges } from './metrics/gauges.ts';
import { meters as buildMeters, type Meters } from './metrics/meters.ts';
import { type Listening, listen } from './server.ts';
import type { Taken } from './store/collectors.ts';
import { addTaken, findSender, type Outbox, openOutbox } from './store/outbox.ts';
import { listServers } from './store/servers.ts';
import { siteExists } from './store/sites.ts';
import type { Db } from './store/statements.ts';
import { findUpkeep } from './store/upkeep.ts';

/** How often it asks the primary. */
const EVERY_MS = 1_000;
const UPKEEP_MS = 60_000;
/** At a stop it may send what waits for so long; the rest waits for the next start. */
const LAST_MS = 5_000;
/** A clock that is further from the primary's is told. */
const MOST_SKEW = 30;

const AWAY = 'the primary is away; collecting with what is known';

/** The servers of the cluster, as the primary said. */
function reachOf(db: Db): Reach {
  const behind = new Set<Node>();
  return { nodes: nodesOf(addressOf(findSender(db).engine), listServers(db), { behind }), behind };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Refusal(`--secret-file: ${(error as Error).message}`, UNUSABLE);
  }
}

function secretOf({ secretFile }: Config): string {
  if (secretFile === undefined) throw new Refusal('--secret-file names the file of the secret', USAGE);
  const text = textOf(secretFile);
  if (!/^[\x21-\x7e]{16,}$/.test(text)) throw new Refusal(`${secretFile} has no secret of a collector`, UNUSABLE);
  return text;
}

/** Asks until it has an answer; one that has been told before goes on with what it knows. False if it was stopped before. */
async function meet(db: Db, ask: () => Promise<unknown>, log: Runtime['log'], stop: AbortSignal): Promise<boolean> {
  for (let tries = 0; !stop.aborted; tries++) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (error instanceof Unknown)
        throw new Refusal(`${error.message}; daybook collectors add, run there, makes one`, UNUSABLE);
      const isKnown = findSender(db).engine !== '';
      const event = isKnown ? AWAY : 'the primary is away; waiting for it';
      if (tries === 0) log(event, { message: (error as Error).message });
      if (isKnown) return true;
      await pause(EVERY_MS, undefined, { signal: stop }).catch(() => {});
    }
  }
  return false;
}

/** How many hits there are among some activities, by site and month. */
function takenIn(activities: readonly Activity[]): Taken[] {
  const counts = new Map<string, Taken>();
  for (const one of activities) {
    if (!isHit(one)) continue;
    const { siteId, day, second } = one;
    const month = monthOn(day + Math.floor(second / DAY));
    const key = `${siteId} ${month}`;
    const known = counts.get(key);
    if (known) known.hits++;
    else counts.set(key, { siteId, month, hits: 1 });
  }
  return [...counts.values()];
}

/** How hits come to the cluster, and with each the count for the plans. */
const intakeOf = (file: Outbox, config: Config, runtime: Pick<Runtime, 'clock' | 'log'>, meters: Meters | undefined) =>
  intakeOver(file, {
    ...runtime,
    meters,
    reach: reachOf(file.db),
    isShipped: config.isShipped,
    number: findSender(file.db).number,
    capacity: config.dayCapacity,
    siteExists: (siteId) => siteExists(file.db, siteId),
    within(activities) {
      for (const one of takenIn(activities)) addTaken(file.db, one);
    },
  });

const sizeOf = (path: string): number =>
  ['', '-wal'].reduce((sum, end) => sum + (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0);

type Parts = { intake: OverOutbox; collector: Collector };

/** Tells the primary how this collector is, once it is built, and keeps what it answers. */
function telling({ db, path }: Outbox, url: string, secret: string, { clock, random }: Runtime) {
  const run = random(8).toString('hex');
  let parts: Parts | undefined;
  let heardAt: number | undefined;
  /** What browsers sent since then was not told yet. */
  let untold = seconds(clock);
  return {
    built(own: Parts): void {
      parts = own;
    },
    async ask(): Promise<Heard> {
      const now = seconds(clock);
      const visitors = findUpkeep(db, 'visitors') ?? null;
      const parcelAt = parts?.intake.parcelAt() ?? null;
      const behind = parts?.intake.behind() ?? [];
      const status = { version, run, now, ...progressOf(db, clock), parcelAt, bytes: sizeOf(path), behind, visitors };
      const seen = parts?.collector.requestsSince(untold) ?? [];
      const heard = await exchange({ url, secret, db }, { status, seen });
      heardAt = clock.tick();
      untold = now;
      return heard;
    },
    heardAgo: () => (heardAt === undefined ? undefined : (clock.tick() - heardAt) / 1000),
  };
}

/** Asks the primary, and takes over what it says. */
function looking(db: Db, ask: () => Promise<Heard>, { intake, collector }: Parts, { clock, log }: Runtime) {
  const failures = trouble(log, clock, 'exchanges with the primary failed, in all');
  async function look(): Promise<void> {
    try {
      const { changed, isMoved, now } = await ask();
      failures.worked();
      if (changed.has('salt')) collector.resalt();
      const skew = seconds(clock) - now;
      if (Math.abs(skew) > MOST_SKEW)
        failures.failed('skew', 'the clock of this machine is not that of the primary', { seconds: skew });
      if (!isMoved) return;
      log('the servers of the cluster have changed');
      await intake.turnTo(reachOf(db));
    } catch (error) {
      const { message } = error as Error;
      const isRefused = error instanceof Unknown || error instanceof Refusal;
      const event = isRefused ? 'the primary refuses this collector; collecting with what is known' : AWAY;
      failures.failed(message, event, { message });
    }
  }
  return { look, settle: failures.settle };
}

/** Does something regularly, never twice at once; it must not throw. */
function regularly(work: () => Promise<void>, ms: number) {
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

/** Builds a collector: what takes hits for a cluster on a machine of its own. `stop` ends the wait for its primary; undefined then. */
export async function composeCollector(config: Config, runtime: Runtime, stop: AbortSignal) {
  const { clock, random, log } = runtime;
  const { primary } = config;
  if (primary === undefined) throw new Refusal('--primary names the server of which this is a collector', USAGE);
  const secret = secretOf(config);
  const file = openOutbox(config.outbox, `collector-${random(8).toString('hex')}`);
  const { db, path } = file;
  try {
    const { ask, built, heardAgo } = telling(file, primary, secret, runtime);
    if (!(await meet(db, ask, log, stop))) {
      file.close();
      return undefined;
    }
    const meters = config.metricsToken === undefined ? undefined : buildMeters(clock);
    const intake = await intakeOf(file, config, runtime, meters);
    const collector = buildCollector({ config, db, engine: intake, clock, random, log, meters });
    const parts = { intake, collector };
    built(parts);
    const lag = () => seconds(clock) - progressOf(db, clock).until;
    if (meters) addCollectorGauges(meters, { waiting: intake.waiting, bytes: () => sizeOf(path), lag, heardAgo });
    return {
      db,
      ...parts,
      ...running({ config, runtime, file, meters, ...parts, ...looking(db, ask, parts, runtime) }),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

type Running = Parts & {
  config: Config;
  runtime: Runtime;
  file: Outbox;
  meters: Meters | undefined;
  look(): Promise<void>;
  settle(): void;
};

/** What a collector does until it is stopped. */
function running({ config, runtime, file, meters, intake, collector, look, settle }: Running) {
  const { clock, random, log } = runtime;
  const { db, path } = file;
  let listening: Listening | undefined;
  let regular: { stop(): Promise<void> }[] = [];
  const failures = trouble(log, clock, 'upkeeps failed, in all');

  /** The WAL has what was sent, and salts of before, until it is emptied. */
  async function everyMinute(): Promise<void> {
    try {
      collector.everyMinute();
      db.emptyWal();
      failures.worked();
    } catch (error) {
      const { message } = error as Error;
      failures.failed(message, 'the upkeep failed; it is tried again in a minute', { message });
    }
  }

  return {
    look,
    everyMinute,
    /** Returns the configuration with the actual port. */
    async listen(): Promise<Config> {
      let actual = config;
      const core = { db, clock, log, collector, script: await script(), meters };
      const health = { accepting: () => listening?.accepting() ?? true, hasRoom: hasRoomFor(path) };
      listening = await listen(config, random, (port) => {
        actual = withPort(config, port);
        return buildCollectorApp({ ...core, config: actual, health });
      });
      return actual;
    },
    work(): void {
      regular = [regularly(look, EVERY_MS), regularly(everyMinute, UPKEEP_MS)];
    },
    async stop(): Promise<void> {
      await listening?.stop();
      await Promise.all(regular.map((one) => one.stop()));
      collector.settle();
      intake.settle();
      await Promise.race([intake.shipped(), pause(LAST_MS, undefined, { ref: false })]);
      await look();
      settle();
      failures.settle();
      await intake.close();
    },
  };
}
