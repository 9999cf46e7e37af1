import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { App } from '../../src/app.ts';
import { makePasswords } from '../../src/auth/passwords.ts';
import { type ComposeOptions, compose, type Daybook } from '../../src/compose.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { makeTasks, type Tasks } from '../../src/ledger/work/tasks.ts';
import { type Log, logTo } from '../../src/lib/log.ts';
import { once } from '../../src/lib/once.ts';
import type { Clock } from '../../src/lib/time.ts';
import type { Post } from '../../src/mail/post.ts';
import type { OptionName } from '../../src/options.ts';
import type { Db } from '../../src/store/db.ts';
import { openReader, openStore } from '../../src/store/file/open-file.ts';
import { makeSameThread, type Threads } from '../../src/threads/pool.ts';
import { freshFile } from './fresh-file.ts';
import { type Held, heldBy } from './held.ts';
import { CHEAP, type People, type Person, peopleOf, personIn } from './people.ts';
import { type Answer, type Asking, answerOf, requestOf } from './requests.ts';

/** Where the tests' clock stands at the beginning. */
export const NOON = Date.parse('2026-03-10T12:00:00Z');

/** The agent of somebody with Firefox on Windows. */
export const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Where the tests' cluster is, if that keeps the hits in place of the file (test/cluster/main.ts). */
const CLUSTER = process.env.TEST_CLUSTER;
export const ON_CLUSTER = CLUSTER !== undefined;

/**
 * With the file a test tries a sixteenth as often as it says, and in CI's second run as often (.ci/run). A cluster takes
 * a hundred times as long for a query.
 */
const SHARE = ON_CLUSTER ? 1 / 8 : Number(process.env.SHARE ?? 1 / 16);

/** How often a random test that takes seconds tries here, where it says how often it should. */
export const share = (count: number): number => Math.max(1, Math.round(count * SHARE));

/** A database of its own on the tests' cluster, which goes with the test. */
function databaseOf(t: TestContext): { engine?: string } {
  if (CLUSTER === undefined) return {};
  const name = `test_${randomBytes(8).toString('hex')}`;
  t.after(() =>
    Promise.all(
      CLUSTER.split(',').map((host) =>
        fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE ${name} SYNC` }),
      ),
    ),
  );
  return { engine: `clickhouse://${CLUSTER}/${name}?cluster=day&ack=reachable` };
}

/** A folder of its own, which goes with the test. */
export function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'daybook-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What the token for /metrics is, which every application has. */
const METRICS = 'token-for-metrics';

export type TestApp = People & {
  app: App;
  db: Db;
  engine: Engine;
  /** What it keeps, whatever its engine is. */
  held: Held;
  config: Config;
  post: Post;
  /** Moves on only when a test says so. */
  clock: Clock & {
    pass(seconds: number): void;
    /** Somebody sets the clock on the wall; no time passes. */
    jump(seconds: number): void;
  };
  log: string[];
  setupSecret: string;
  /** How often a password was computed for whoever asked. */
  passwords: { runs: number };
  /** Asks without a socket; paths begin at the root. */
  ask(method: string, path: string, asking?: Asking): Promise<Answer>;
  /** Lets go of salts that are over, as the server does each minute. */
  everyMinute(): void;
  /** Seals every past day, as the server does at night; says how many. */
  seal(): Promise<number>;
  /**
   * Closes the file and opens it again, as at a new start, maybe with the cluster written otherwise. Null means that the
   * file itself has the hits. `meanwhile` runs while the file is closed.
   */
  restart(engine?: string | null, meanwhile?: () => Promise<unknown>): Promise<void>;
};

type Cast = TestApp & {
  /** Owns example.com. */
  owner: Person;
  manager: Person;
  viewer: Person;
  /** Owns stranger.example and sees nothing else. */
  stranger: Person;
  siteId: number;
  strangerSiteId: number;
};

/** Real ones, counted. */
function countedPasswords() {
  const { hash, matches } = makePasswords(CHEAP);
  const counted = {
    runs: 0,
    hash(password: string) {
      counted.runs++;
      return hash(password);
    },
    matches(stored: string, password: string) {
      counted.runs++;
      return matches(stored, password);
    },
  };
  return counted;
}

/** What a question may take: a limit of seconds would hold how busy the machine is. */
const PATIENCE_MS = 600_000;

function testClock(): TestApp['clock'] {
  let time = NOON;
  let passed = 0;
  const jump = (by: number): void => {
    time += by * 1000;
  };
  return {
    now: () => time,
    tick: () => passed,
    jump,
    pass(by) {
      jump(by);
      passed += by * 1000;
    },
  };
}

/** Tasks in this thread, over a connection of their own as in a worker thread. */
export function tasksHere(path: string): Threads<Tasks> {
  const { db, close } = openReader(path);
  return { ...makeSameThread(makeTasks(db, { freeMemory: () => {} }).tasks), close: async () => close() };
}

type Own = Pick<ComposeOptions, 'limits' | 'guest' | 'streams'> & {
  /** With worker threads, as a server has them. */
  threaded?: boolean;
  /** A file that it copies, in place of an empty one. */
  from?: string;
};

/** A whole application over a file of its own, with nobody in it. */
export async function emptyApp(
  t: TestContext,
  settings: Partial<Record<OptionName, string>> = {},
  { limits, guest, streams, threaded = false, from }: Own = {},
): Promise<TestApp> {
  const path = join(folder(t), 'daybook.db');
  if (from === undefined) freshFile(path);
  else copyFileSync(from, path);
  const clock = testClock();
  const config = readConfig(
    { 'rate-limit': '0', 'metrics-token': METRICS, ...databaseOf(t), ...settings, db: path },
    {},
  );
  const lines: string[] = [];
  const log: Log = logTo((line) => lines.push(line), clock.now);
  const counted = countedPasswords();

  async function start(own: Config): Promise<{ daybook: Daybook; app: App }> {
    const daybook = await compose(
      own,
      { clock, random: randomBytes, log },
      {
        passwords: counted,
        patience: PATIENCE_MS,
        limits,
        guest,
        ...(streams && { streams }),
        threads: threaded ? undefined : tasksHere,
      },
    );
    // What is on the disk after a power failure is for other tests to hold.
    daybook.db.run('PRAGMA synchronous = OFF');
    return { daybook, app: daybook.appFor(own) };
  }

  let live = await start(config);
  t.after(() => live.daybook.stop());

  const self: TestApp = {
    app: live.app,
    db: live.daybook.db,
    engine: live.daybook.engine,
    held: heldBy(() => self),
    config,
    post: live.daybook.post,
    clock,
    log: lines,
    setupSecret: live.daybook.setup?.secret ?? '',
    passwords: counted,
    async ask(method, path, asking = {}) {
      const { request, bindings } = requestOf(asking);
      return await answerOf(await live.app.hono.request(path, { method, ...request }, bindings));
    },
    ...peopleOf(() => self),
    everyMinute: () => live.daybook.collector.everyMinute(),
    seal: async () => (await self.engine.upkeep.seal()).days,
    async restart(other, meanwhile) {
      await live.daybook.stop();
      await meanwhile?.();
      if (other !== undefined) Object.assign(self, { config: { ...self.config, engine: other ?? undefined } });
      live = await start(self.config);
      const { db, engine, post } = live.daybook;
      Object.assign(self, { db, engine, post, app: live.app });
    },
  };
  return self;
}

/** The cast of `startApp` in a file that each app copies, because making it takes a third of the time of a start. */
const makeCast = once(async () => {
  const place = mkdtempSync(join(tmpdir(), 'daybook-cast-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const path = join(place, 'daybook.db');
  freshFile(path);
  const { db, close } = openStore(path);
  const ask = () => Promise.reject(new Error('there is no app yet'));
  const app: People = peopleOf(() => ({ db, clock: testClock(), ask, ...app }));
  const owner = await app.person('owner@example.com');
  const manager = await app.person('manager@example.com');
  const viewer = await app.person('viewer@example.com');
  const stranger = await app.person('stranger@example.com');
  app.join(owner, manager, 'manager');
  app.join(owner, viewer, 'viewer');
  const sites = { siteId: app.site(owner, 'example.com'), strangerSiteId: app.site(stranger, 'stranger.example') };
  close();
  return { path, people: { owner, manager, viewer, stranger }, sites };
});

/** The same with a cast: an owner with a site, their manager and viewer, and a stranger with another. */
export async function startApp(
  t: TestContext,
  settings: Partial<Record<OptionName, string>> = {},
  own: Omit<Own, 'from'> = {},
): Promise<Cast> {
  const { path, people, sites } = await makeCast();
  const app = await emptyApp(t, settings, { ...own, from: path });
  const here = ({ token, ...user }: Person): Person => personIn(() => app, user, token);
  const { owner, manager, viewer, stranger } = people;
  const cast = { owner: here(owner), manager: here(manager), viewer: here(viewer), stranger: here(stranger) };
  return Object.assign(app, cast, sites);
}
