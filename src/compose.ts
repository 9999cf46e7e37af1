import { statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { type App, buildApp, type Health } from './app.ts';
import { dashboard } from './assets/dashboard.ts';
import { script } from './assets/script.ts';
import { threadCode } from './assets/thread.ts';
import { passwords as argon2, type Passwords } from './auth/passwords.ts';
import { quotas } from './auth/quotas.ts';
import { type Setup, setupLink } from './auth/setup.ts';
import { buildCollector, type Collector } from './collect/collector.ts';
import { type Config, withPort } from './config.ts';
import { examiner } from './doctor/examiner.ts';
import type { Engine } from './engine.ts';
import { startJobs } from './jobs/jobs.ts';
import { siteMails } from './jobs/mail.ts';
import { ledger } from './ledger/engine.ts';
import { type Tasks, tasksOf } from './ledger/tasks.ts';
import type { Log } from './lib/log.ts';
import type { Random } from './lib/secrets.ts';
import type { Clock } from './lib/time.ts';
import { buildPost, type Post } from './mail/post.ts';
import { addGauges } from './metrics/gauges.ts';
import { meters as buildMeters, type Meters } from './metrics/meters.ts';
import { type Listening, listen } from './server.ts';
import { type Ask, asker } from './stats/ask.ts';
import { openStore } from './store/open.ts';
import type { Db } from './store/statements.ts';
import { hasUsers } from './store/users.ts';
import { pool, sameThread } from './threads/pool.ts';

/** What the world gives. */
export type World = { clock: Clock; random: Random; log: Log };

/** Less room than this on the disk, and the server does not take hits for long. */
const ROOM_BYTES = 100 * 1024 * 1024;

const PATIENCE_MS = 10_000;
const MOST_THREADS = 4;
/** Reading and folding the largest day takes seconds; ten minutes mean that something is wrong. */
const SEALING_PATIENCE_MS = 600_000;

type Place = { db: Db; path: string; code: string; meters?: Meters | undefined; patience?: number | undefined };

/** The engine of a server: questions and sealing in threads of their own. */
export function engineInThreads(
  { db, path, code, meters, patience = PATIENCE_MS }: Place,
  { clock, log }: Omit<World, 'random'>,
): Engine {
  const threads = (size: number, patience: number) => pool<Tasks>({ code, path, size, patience, log });
  const readers = threads(Math.min(availableParallelism(), MOST_THREADS), patience);
  return ledger({ db, clock, log, meters, readers, sealers: () => threads(1, SEALING_PATIENCE_MS) });
}

/** The engine of a command, which does everything itself. */
export function engineHere(db: Db, clock: Clock): Engine {
  const tasks = sameThread(tasksOf(db).tasks);
  return ledger({ db, clock, log: () => {}, readers: tasks, sealers: () => tasks });
}

export type Options = {
  /** A link that signs in whoever has it; only the demo has one. */
  entry?: { secret: string; userId: number } | undefined;
  passwords?: Passwords;
  /** In milliseconds: no question may take longer. */
  patience?: number;
  /** Told before an older file is copied and brought up to date. */
  onUpdate?(from: number, to: number): void;
};

/** Everything of a server, put together; nobody can reach it before `listen`, and it does nothing by itself before `work`. */
export type Daybook = {
  db: Db;
  engine: Engine;
  collector: Collector;
  post: Post;
  /** There as long as nobody has used the server. */
  setup: Setup | undefined;
  appFor(config: Config): App;
  /** Gives the configuration with the port that was taken. */
  listen(): Promise<Config>;
  /** Begins with what the server does by itself. */
  work(config: Config): void;
  stop(): Promise<void>;
};

/** Where a server runs has a disk with so much room. */
const hasRoomFor = (path: string) => async (): Promise<boolean> => {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= ROOM_BYTES;
};

/** Puts a daybook together, from its configuration and what the world gives. The server, the demo and the tests are made here. */
export async function compose(config: Config, world: World, options: Options = {}): Promise<Daybook> {
  const { clock, random, log } = world;
  const [day, web, code] = await Promise.all([script(), dashboard(), threadCode()]);
  const store = openStore(config.db, { serve: true, ...(options.onUpdate ? { onUpdate: options.onUpdate } : {}) });
  const { db, path } = store;
  try {
    const post = buildPost(config, clock, log);
    const meters = config.metricsToken === undefined ? undefined : buildMeters(clock);
    const engine = engineInThreads({ db, path, code, meters, patience: options.patience }, world);
    const collector = buildCollector({ config, db, engine, clock, random, log, meters });
    if (meters) addGauges(meters, { db, path, clock, waiting: engine.waiting });
    const question = asker(engine);
    const ask: Ask = meters ? (asked) => meters.question(question(asked)) : question;
    const setup = hasUsers(db) ? undefined : setupLink(random, clock);
    let listening: Listening | undefined;
    let jobs: ReturnType<typeof startJobs> | undefined;
    const health: Health = { accepting: () => listening?.accepting() ?? true, hasRoom: hasRoomFor(path) };
    const shared = { db, clock, random, log, post, engine, collector, ask };

    const appFor = (own: Config): App =>
      buildApp(
        {
          ...shared,
          config: own,
          limits: quotas(own.rateLimit, clock),
          passwords: options.passwords ?? argon2(),
          setup,
          entry: options.entry,
          dashboard: web,
          examine: examiner({ config: own, db, engine, path, clock }),
          script: day,
        },
        health,
        meters,
      );

    return {
      ...{ db, engine, collector, post, setup },
      appFor,
      async listen() {
        let own = config;
        listening = await listen(config, random, (port) => {
          own = withPort(config, port);
          return appFor(own);
        });
        return own;
      },
      work(own) {
        const copies = { folder: own.backups, keep: own.keepBackups };
        const mails = siteMails({ ...shared, config: own, lastHit: engine.lastHit, drops: engine.drops });
        jobs = startJobs({ ...shared, path, code, copies, mails });
      },
      async stop() {
        await listening?.stop();
        await jobs?.stop();
        await engine.close();
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
