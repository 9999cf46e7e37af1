import { availableParallelism, constants } from 'node:os';
import { type App, buildApp, type Health } from './app.ts';
import { passwords as argon2, type Passwords } from './auth/passwords.ts';
import { quotas } from './auth/quotas.ts';
import { type Setup, setupLink } from './auth/setup.ts';
import { hasSealedDays } from './catalog/sealed-days.ts';
import { cluster } from './cluster/engine.ts';
import { buildCollector, type Collector } from './collect/collector.ts';
import { type Config, withPort } from './config.ts';
import { examiner } from './doctor/examiner.ts';
import { dashboard } from './embedded/dashboard.ts';
import { script } from './embedded/script.ts';
import { threadCode } from './embedded/thread.ts';
import type { Engine } from './engine/engine.ts';
import { type Listening, listen } from './http/server.ts';
import { startJobs } from './jobs/jobs.ts';
import { siteMails } from './jobs/mail.ts';
import { ledger } from './ledger/engine.ts';
import { LIMITS, type Limits } from './ledger/open/compaction.ts';
import { newestHitId } from './ledger/rows/hits.ts';
import type { Tasks } from './ledger/work/tasks.ts';
import { hasRoomFor } from './lib/disk.ts';
import { Refusal, UNUSABLE } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import { warnOfOpenSecret } from './lib/secret-file.ts';
import type { Random } from './lib/secrets.ts';
import type { Clock } from './lib/time.ts';
import { buildPost, type Post } from './mail/post.ts';
import { webhookOf } from './mail/webhook.ts';
import { addGauges } from './metrics/gauges.ts';
import { meters as buildMeters, type Meters } from './metrics/meters.ts';
import { asker, counted } from './stats/ask.ts';
import { assertNotOnCluster, isOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { openStore } from './store/file/open-file.ts';
import { hasUsers } from './store/people/users.ts';
import { clockTrust, type Trust } from './store/server/clock-trust.ts';
import { pool, type Threads } from './threads/pool.ts';

/** What tests replace. */
export type Runtime = { clock: Clock; random: Random; log: Log };

const QUERY_PATIENCE_MS = 10_000;
const MAX_READERS = 4;
/** Sealing the largest day takes seconds, and minutes where hits leave it little of the CPU; after an hour its thread has hung. */
const SEALING_PATIENCE_MS = 3_600_000;

type EngineOptions = {
  db: Db;
  path: string;
  code: string;
  trust: Trust;
  meters?: Meters | undefined;
  capacity?: number;
} & Pick<Options, 'patience' | 'limits' | 'threads'>;

/** The engine of a server: worker threads run the queries and the sealing. */
export function engineInThreads(
  { path, code, patience = QUERY_PATIENCE_MS, limits = LIMITS, threads, ...options }: EngineOptions,
  { clock, log }: Omit<Runtime, 'random'>,
): Engine {
  const start = (size: number, patience: number, priority: number) =>
    threads?.(path) ?? pool<Tasks>({ code, path, size, patience, priority, log });
  // Hits go first, then questions, and last what is done in the background.
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  const readers = start(Math.min(availableParallelism(), MAX_READERS), patience, PRIORITY_BELOW_NORMAL);
  const sealers = () => start(1, SEALING_PATIENCE_MS, PRIORITY_LOW);
  return ledger({ ...options, clock, log, readers, sealers, limits });
}

/** The engine that the settings name. */
async function engineOf(config: Config, options: EngineOptions, runtime: Omit<Runtime, 'random'>): Promise<Engine> {
  const { db, path, meters } = options;
  const capacity = config.dayCapacity;
  if (config.engine === undefined) {
    assertNotOnCluster(db);
    return engineInThreads({ ...options, capacity }, runtime);
  }
  if (!isOnCluster(db) && (newestHitId(db) > 0 || hasSealedDays(db)))
    throw new Refusal('this file has hits of its own; daybook move --to URL brings them to the cluster', UNUSABLE);
  const { clock, log } = runtime;
  return await cluster(config.engine, { db, outbox: `${path}.outbox`, clock, log, meters, capacity });
}

export type Options = {
  /** The secret of a link that signs in its visitor as this user; only the demo has one. */
  entry?: { secret: string; userId: number } | undefined;
  passwords?: Passwords;
  /** How many milliseconds a query may take. */
  patience?: number | undefined;
  /** When an open day is large. */
  limits?: Limits | undefined;
  /** In place of worker threads, whose start costs more than what most tests ask. */
  threads?: ((path: string) => Threads<Tasks>) | undefined;
  /** Called before an older file is copied and migrated. */
  onUpdate?(from: number, to: number): void;
};

/** A server with all its parts. It takes no requests before `listen` and runs no jobs before `work`. */
export type Daybook = {
  db: Db;
  engine: Engine;
  collector: Collector;
  post: Post;
  /** The setup link, while there is no user yet. */
  setup: Setup | undefined;
  appFor(config: Config): App;
  /** Returns the configuration with the actual port, which differs if 0 was asked for. */
  listen(): Promise<Config>;
  /** Starts the scheduled jobs. */
  work(config: Config): void;
  stop(): Promise<void>;
};

/** Builds a daybook. The server, the demo and the tests all use this function. */
export async function compose(config: Config, runtime: Runtime, options: Options = {}): Promise<Daybook> {
  const { clock, random, log } = runtime;
  const [collectScript, web, code] = await Promise.all([script(), dashboard(), threadCode()]);
  const store = openStore(config.db, { serve: true, ...(options.onUpdate ? { onUpdate: options.onUpdate } : {}) });
  const { db, path } = store;
  try {
    const trust = clockTrust(db, clock);
    trust.look();
    const post = buildPost(config, log, db);
    warnOfOpenSecret(config.webhookSecretFile, log);
    const meters = config.metricsToken === undefined ? undefined : buildMeters(clock);
    const engine = await engineOf(config, { db, path, code, trust, meters, ...options }, runtime);
    const collector = buildCollector({ config, db, engine, clock, random, log, meters, refusal: engine.refusal });
    if (meters) addGauges(meters, { db, path, clock, waiting: engine.waiting, away: engine.away });
    const asked = meters ? counted(engine, meters.question) : engine;
    const setup = hasUsers(db) ? undefined : setupLink(random, clock);
    let listening: Listening | undefined;
    let jobs: ReturnType<typeof startJobs> | undefined;
    const accepting = () => listening?.accepting() ?? true;
    const health: Health = { accepting, hasRoom: hasRoomFor(path), refusal: engine.refusal };
    const shared = { db, clock, random, log, post, engine, collector, ask: asker(asked), webhook: webhookOf(config) };

    const appFor = (own: Config): App =>
      buildApp(
        {
          ...shared,
          askSites: asked.measureSites,
          config: own,
          limits: quotas(own.rateLimit, clock),
          passwords: options.passwords ?? argon2(),
          setup,
          entry: options.entry,
          dashboard: web,
          examine: examiner({ config: own, db, engine, path, clock }),
          script: collectScript,
        },
        health,
        meters,
      );

    return {
      ...{ db, engine, collector, post, setup },
      appFor,
      async listen() {
        let own = config;
        listening = await listen(config, { random, clock, log }, (port) => {
          own = withPort(config, port);
          return appFor(own);
        });
        return own;
      },
      work(own) {
        const copies = { folder: own.backups, keep: own.keepBackups };
        const mails = siteMails({ ...engine, ...shared, config: own, posted: meters?.posted });
        jobs = startJobs({ ...shared, path, code, trust, copies, mails });
      },
      async stop() {
        await listening?.stop();
        // At once, because a job may wait for its turn behind what the engine does by itself.
        await Promise.all([jobs?.stop(), engine.close()]);
        collector.settle();
        engine.settle();
        await post.settle();
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}
