// Builds a whole server from its parts: database file, engine, the code that counts hits (src/collect), app and jobs.
//
// The setting `engine` chooses where hits are stored: in the database file or on a ClickHouse cluster. All other code
// knows only the type `Engine`. Callers pass in clock, random numbers and log, because tests replace them.
//
// `compose` opens the file and the engine, `listen` begins to take requests, and `work` starts the jobs. `stop` ends
// requests, jobs and the engine, and closes the file last. The server, the demo and the tests call `compose`.

import { makeEventStreams, type StreamOptions } from './api/event-streams.ts';
import { type App, buildApp, type Health } from './app.ts';
import { makeOidc, type Oidc } from './auth/oidc.ts';
import { makePasswords, type Passwords } from './auth/passwords.ts';
import { makeQuotas } from './auth/quotas.ts';
import { makeSetupLink, type Setup } from './auth/setup.ts';
import { openCluster } from './cluster/engine.ts';
import { buildCollector, type Collector } from './collect/collector.ts';
import { refuseHits } from './collect/refuse-hits.ts';
import { type Config, withPort } from './config.ts';
import { makeWebhook } from './destinations/webhook.ts';
import { examiner } from './doctor/examiner.ts';
import { loadDashboard } from './embedded/dashboard.ts';
import { loadScript } from './embedded/script.ts';
import { loadThreadCode } from './embedded/thread.ts';
import type { Engine, Queries } from './engine/engine.ts';
import { makeExports } from './exchange/exports.ts';
import { makeUploads } from './exchange/uploads.ts';
import { type Listening, listen } from './http/server.ts';
import { startJobs } from './jobs/jobs.ts';
import { siteMails } from './jobs/mail.ts';
import { openLedgerInThreads, type ThreadOptions } from './ledger/in-threads.ts';
import { openOpenDays, removeOpenDays } from './ledger/open-days.ts';
import { assertNoOwnHits } from './ledger/own-hits.ts';
import { hasRoomFor } from './lib/disk.ts';
import type { Log } from './lib/log.ts';
import { findMemory } from './lib/memory.ts';
import { warnOfOpenSecret } from './lib/secret-file.ts';
import type { Random } from './lib/secrets.ts';
import type { Clock } from './lib/time.ts';
import { buildPost, type Post } from './mail/post.ts';
import { addGauges } from './metrics/gauges.ts';
import { type Meters, makeMeters } from './metrics/meters.ts';
import { makeAskSql } from './sql/ask.ts';
import { countQueries, limitTables, makeAsk } from './stats/ask.ts';
import { assertNotOnCluster } from './store/cluster/cluster-servers.ts';
import type { Db } from './store/db.ts';
import { type Opened, openStore } from './store/file/open-file.ts';
import { hasUsers } from './store/people/users.ts';
import { watchClock } from './store/server/clock-trust.ts';

/** What a server gets from its machine. Tests pass in their own clock, random numbers and log. */
export type Runtime = { clock: Clock; random: Random; log: Log };

type EngineOptions = Omit<Parameters<typeof openLedgerInThreads>[0], 'capacity'>;

export type ComposeOptions = ThreadOptions & {
  /** Only in the demo: a link with this secret signs in every visitor as this user. */
  entry?: { secret: string; userId: number } | undefined;
  /** Only in the public demo: every visitor acts as this user. Nobody can change anything. */
  guest?: number | undefined;
  passwords?: Passwords;
  /** Limits of event streams. Tests need shorter waits and lower limits. */
  streams?: StreamOptions;
  /**
   * This function runs before an older database file is copied and migrated. `from` and `to` are versions of the file.
   */
  onUpdate?(from: number, to: number): void;
};

/** A server with all its parts. No request is taken before `listen`, and no job runs before `work`. */
export type Daybook = {
  db: Db;
  engine: Engine;
  collector: Collector;
  post: Post;
  /** The link for creating the first user. The field is undefined if there is a user already. */
  setup: Setup | undefined;
  appFor(config: Config): App;
  /**
   * Returns the configuration with the port that the server listens on. With the setting 0, the system chooses the
   * port.
   */
  listen(): Promise<Config>;
  work(config: Config): void;
  stop(): Promise<void>;
};

export async function compose(config: Config, runtime: Runtime, options: ComposeOptions = {}): Promise<Daybook> {
  const store = openStore(config.db, { serve: true, ...(options.onUpdate ? { onUpdate: options.onUpdate } : {}) });
  try {
    return await composeOver(store, config, runtime, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function composeOver(store: Opened, config: Config, runtime: Runtime, options: ComposeOptions): Promise<Daybook> {
  const [{ clock, random, log }, { db, path }] = [runtime, store];
  const [collectScript, web, code] = await Promise.all([loadScript(), loadDashboard(), loadThreadCode()]);
  const trust = watchClock(db, clock);
  trust.look();
  const post = buildPost(config, log, db);
  for (const file of [config.webhookSecretFile, config.oidc?.secretFile]) warnOfOpenSecret(file, log);
  const meters = config.metricsToken === undefined ? undefined : makeMeters(clock);
  const engine = await openEngine(config, { db, path, code, trust, meters, clock, log, ...options });
  const { intake, imports, upkeep } = engine;
  const refusal = intake.findRefusal;
  const queries = limitQueries(engine, meters);
  const collector = buildCollector({ config, db, intake, clock, random, log, meters, refusal });
  const streams = makeEventStreams(clock, options.streams);
  if (meters) addGauges(meters, { db, path, clock, streams, waiting: intake.countWaiting, upkeep });
  const [webhook, programs] = [makeWebhook(config), openPrograms(config, path, runtime)];
  const setup = hasUsers(db) ? undefined : makeSetupLink(random, clock);
  let listening: Listening | undefined;
  let jobs: ReturnType<typeof startJobs> | undefined;
  const health: Health = { accepting: () => listening?.accepting() ?? true, hasRoom: hasRoomFor(path), refusal };
  const own = { ...programs, ask: makeAsk(queries), streams, webhook };
  const provider = openProvider(config, runtime, db);
  const shared = { ...runtime, ...own, db, post, queries, imports, upkeep, collector, ...provider };

  const appFor = (own: Config): App =>
    buildApp(
      {
        ...shared,
        config: own,
        collector: options.guest === undefined ? collector : refuseHits(collector),
        limits: makeQuotas(own.rateLimit, clock),
        passwords: options.passwords ?? makePasswords(),
        ...{ setup, entry: options.entry, guest: options.guest },
        dashboard: web,
        examine: examiner({ config: own, db, queries, upkeep, path, clock, arrivals: collector.summarizeClients }),
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
      const mails = siteMails({ ...shared, config: own, posted: meters?.posted });
      jobs = startJobs({ ...shared, ...chooseJobs(own), path, code, trust, mails });
    },
    async stop() {
      // The jobs stop while the last requests are answered, because a sealing may need some seconds to end. A job that
      // waits for the engine ends only when the engine closes.
      await Promise.all([jobs?.stop(), closeAfterRequests(listening, [engine, ...Object.values(programs)])]);
      collector.settle();
      intake.settle();
      await post.settle();
      store.close();
      jobs?.release();
    },
  };
}

function limitQueries({ queries }: Engine, meters: Meters | undefined): Queries {
  const limited = limitTables(queries, findMemory());
  return meters ? countQueries(limited, meters.countQuery) : limited;
}

/** Opens the parts of the server that run in processes of their own. */
function openPrograms(config: Config, path: string, runtime: Runtime) {
  const { engine, geoip, spamList, excludedText } = config;
  const [place, { log }] = [{ path, engine }, runtime];
  const settings = {
    ...(geoip === undefined ? {} : { DAYBOOK_GEOIP: geoip }),
    ...(spamList === undefined ? {} : { DAYBOOK_SPAM_LIST: spamList }),
    ...(excludedText === '' ? {} : { DAYBOOK_EXCLUDE_ADDRESSES: excludedText }),
  };
  return {
    sql: config.sql ? makeAskSql({ ...place, log }) : undefined,
    exports: makeExports(place, log),
    uploads: makeUploads({ ...runtime, place: { ...place, settings } }),
  };
}

const openProvider = ({ oidc }: Config, runtime: Runtime, db: Db): { oidc: Oidc | undefined } => ({
  oidc: oidc && makeOidc(oidc, { ...runtime, db }),
});

const chooseJobs = ({ backups, keepBackups, parquet, engine }: Config) => ({
  backups: { folder: backups, keep: keepBackups },
  parquet: parquet === undefined ? undefined : { folder: parquet, engine },
  receipts: { engine },
});

type Closable = { close(): Promise<void> };

/** Closes the parts in `rest`, such as the engine. All requests are answered first, because they need these parts. */
async function closeAfterRequests(listening: Listening | undefined, rest: readonly (Closable | undefined)[]) {
  await listening?.stop();
  await Promise.all(rest.map((one) => one?.close()));
}

async function openEngine(config: Config, options: EngineOptions): Promise<Engine> {
  const { db, path, clock, log, meters } = options;
  const capacity = config.dayCapacity;
  const file = `${path}.open-days`;
  removeOpenDays(file);
  if (config.engine === undefined) {
    assertNotOnCluster(db);
    return openLedgerInThreads({ ...options, capacity });
  }
  assertNoOwnHits(db);
  const openDays = () => openOpenDays({ ...options, file });
  return await openCluster(config.engine, { db, outbox: `${path}.outbox`, openDays, clock, log, meters, capacity });
}
