import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import * as v from 'valibot';
import type { Route } from '../src/api/route.ts';
import { routes } from '../src/api/routes.ts';
import { type App, buildApp } from '../src/app.ts';
import { dashboard } from '../src/assets/dashboard.ts';
import { script } from '../src/assets/script.ts';
import { threadCode } from '../src/assets/thread.ts';
import { passwords } from '../src/auth/passwords.ts';
import { quotas } from '../src/auth/quotas.ts';
import { setupLink } from '../src/auth/setup.ts';
import { buildCollector } from '../src/collect/collector.ts';
import { type Config, type OptionName, readConfig } from '../src/config.ts';
import { examiner } from '../src/doctor/examiner.ts';
import { sealDue } from '../src/jobs/seal.ts';
import type { CrawlQuestion } from '../src/ledger/crawls.ts';
import { type Log, logTo } from '../src/lib/log.ts';
import { tokenSecret } from '../src/lib/secrets.ts';
import { type Clock, seconds } from '../src/lib/time.ts';
import { buildPost, type Post } from '../src/mail/post.ts';
import { asker } from '../src/stats/ask.ts';
import { openStore } from '../src/store/open.ts';
import { addSite } from '../src/store/sites.ts';
import type { Db } from '../src/store/statements.ts';
import { acceptInvitation, findInvitation, inviteMember, type MemberRole } from '../src/store/team.ts';
import { type Ability, addToken } from '../src/store/tokens.ts';
import { addUser, type User } from '../src/store/users.ts';
import { pool } from '../src/threads/pool.ts';

/** Where the tests' clock stands at the beginning. */
export const NOON = Date.parse('2026-03-10T12:00:00Z');

/** The agent of somebody with Firefox on Windows. */
export const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A folder of its own, which goes with the test. */
export function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'daybook-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Cheap passwords: what they cost is not what most tests are about. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the server says is what a test is about
  body: any;
};

export type Asking = {
  token?: string | undefined;
  /** Of somebody who is signed in, sent by a page of the server. */
  cookie?: string;
  /** The secret of a share link. */
  share?: string;
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
};

/** What a browser sends with a form of ours. */
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ({
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'sec-fetch-site': 'same-origin',
      ...headers,
    } as Record<string, string>,
  }) satisfies Asking;

/** The cookie that an answer sets, as browsers send it back. */
export const cookieOf = ({ headers }: Answer): string => headers.get('Set-Cookie')?.split(';')[0] ?? '';

/** The password that everybody in a test has. */
export const passwordOf = ({ email }: { email: string }): string => `password of ${email}`;

/** Somebody with a token. */
export type Person = User & { token: string; ask(method: string, path: string, body?: unknown): Promise<Answer> };

export type TestApp = {
  app: App;
  db: Db;
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
  person(email: string, abilities?: Ability[]): Promise<Person>;
  /** Another token of somebody. */
  tokenOf(person: User, abilities: Ability[]): string;
  /** Signs somebody in at a browser; gives the cookie. */
  signIn(person: User): Promise<string>;
  /** Shares a site; gives the secret of the link. */
  share(owner: Person, siteId: number): Promise<string>;
  join(owner: User, person: User, role: MemberRole): void;
  site(owner: User, domain: string): number;
  /** Seals every past day, as the server does at night; says how many. */
  seal(): Promise<number>;
  /** Closes the file and opens it again, as at a new start. */
  restart(): Promise<void>;
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
  const { hash, matches } = passwords(CHEAP);
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

/** A whole application over a file of its own, with nobody in it. */
export async function emptyApp(t: TestContext, settings: Partial<Record<OptionName, string>> = {}): Promise<TestApp> {
  const path = join(folder(t), 'daybook.db');
  let time = NOON;
  let passed = 0;
  const jump = (by: number): void => {
    time += by * 1000;
  };
  const pass = (by: number): void => {
    jump(by);
    passed += by * 1000;
  };
  const clock = { now: () => time, tick: () => passed, pass, jump };
  const config = readConfig({ 'rate-limit': '0', ...settings }, {});
  const lines: string[] = [];
  const log: Log = logTo((line) => lines.push(line), clock.now);
  const post = buildPost(config, clock, log);
  const setup = setupLink(randomBytes, clock);
  const counted = countedPasswords();
  const [day, web, code] = await Promise.all([script(), dashboard(), threadCode()]);

  function start() {
    const store = openStore(path);
    const { db } = store;
    // What is on the disk after a power failure is for others to hold.
    db.run('PRAGMA synchronous = OFF');
    const limits = quotas(config.rateLimit, clock);
    const collector = buildCollector({ config, db, clock, random: randomBytes, log });
    // Begun once somebody asks; the same as a server's.
    const threads = pool({ code, path, size: 2, patience: PATIENCE_MS, log });
    const shared = {
      config,
      db,
      clock,
      random: randomBytes,
      log,
      post,
      limits,
      passwords: counted,
      setup,
      entry: undefined,
      dashboard: web,
      collector,
      ask: asker(threads),
      crawls: (question: CrawlQuestion) => threads.run(0, 'crawls', question),
      examine: examiner({ config, db, path, clock, grown: (today) => threads.run(0, 'growth', today) }),
    };
    const app = buildApp({ ...shared, script: day }, { accepting: () => true, hasRoom: async () => true });
    return { db, app, threads, collector, store };
  }

  async function stop(): Promise<void> {
    await live.threads.close();
    live.collector.settle();
    live.store.close();
  }

  let live = start();
  t.after(async () => {
    await post.settle();
    await stop();
  });

  const self: TestApp = {
    app: live.app,
    db: live.db,
    config,
    post,
    clock,
    log: lines,
    setupSecret: setup.secret,
    passwords: counted,
    async ask(method, path, { token, cookie, share, body, headers = {}, address = '192.0.2.1' } = {}) {
      const sent: Record<string, string> = {};
      if (token !== undefined) sent.authorization = `Bearer ${token}`;
      if (share !== undefined) sent.authorization = `Share ${share}`;
      if (cookie !== undefined) Object.assign(sent, { cookie, 'sec-fetch-site': 'same-origin' });
      if (body !== undefined) sent['content-type'] = 'application/json';
      for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
      const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
      const stream = Readable.from(text === null ? [] : [Buffer.from(text)]);
      const incoming = Object.assign(stream, { headers: sent, socket: { remoteAddress: address } });
      const response = await live.app.hono.request(path, { method, headers: sent, body: text }, { incoming } as never);
      return await answerOf(response);
    },
    async person(email, abilities = ['read', 'write']) {
      const password = await passwords(CHEAP).hash(passwordOf({ email }));
      const user = live.db.write(() => addUser(live.db, { email, password, now: seconds(clock) }));
      const token = self.tokenOf(user, abilities);
      return { ...user, token, ask: (method, path, body) => self.ask(method, `/api/v1${path}`, { token, body }) };
    },
    tokenOf(person, abilities) {
      const secret = tokenSecret(randomBytes);
      const now = seconds(clock);
      const { id } = live.db.write(() =>
        addToken(live.db, { userId: person.id, name: 'test', abilities, secret, now }),
      );
      return `${id}|${secret}`;
    },
    async signIn(person) {
      const body = { email: person.email, password: passwordOf(person) };
      const answer = await self.ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' } });
      assert.equal(answer.status, 200, answer.text);
      return cookieOf(answer);
    },
    async share(owner, siteId) {
      const { body } = await owner.ask('PATCH', `/sites/${siteId}`, { shared: true });
      return body.data.share_url.split('/').at(-1);
    },
    join(owner, person, role) {
      const now = seconds(clock);
      const secret = tokenSecret(randomBytes);
      const { accountId, email } = owner;
      const { db } = live;
      db.write(() => {
        inviteMember(db, { accountId, owner: email, email: person.email, role, secret, now });
        const invitation = findInvitation(db, secret, now);
        if (invitation) acceptInvitation(db, invitation, person.id);
      });
    },
    site: (owner, domain) =>
      live.db.write(() => addSite(live.db, { accountId: owner.accountId, domain, now: seconds(clock) })),
    seal: () =>
      sealDue(
        { db: live.db, clock: { now: clock.now, tick: () => performance.now() }, log },
        {
          due: (before) => live.threads.run(0, 'due', before),
          compute: (siteDay) => live.threads.run(0, 'compute', siteDay),
        },
      ),
    async restart() {
      await stop();
      live = start();
      self.db = live.db;
      self.app = live.app;
    },
  };
  return self;
}

/** The same with a cast: an owner with a site, their manager and viewer, and a stranger with another. */
export async function startApp(t: TestContext, settings: Partial<Record<OptionName, string>> = {}): Promise<Cast> {
  const app = await emptyApp(t, settings);
  const owner = await app.person('owner@example.com');
  const manager = await app.person('manager@example.com');
  const viewer = await app.person('viewer@example.com');
  const stranger = await app.person('stranger@example.com');
  app.join(owner, manager, 'manager');
  app.join(owner, viewer, 'viewer');
  const siteId = app.site(owner, 'example.com');
  const strangerSiteId = app.site(stranger, 'stranger.example');
  return Object.assign(app, { owner, manager, viewer, stranger, siteId, strangerSiteId });
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** The row of the table that a request goes to. */
export function rowOf(method: string, path: string): Route {
  const row = routes.find((one) => {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return one.method === method && pattern.test(path.split('?')[0] ?? '');
  });
  if (!row) throw new Error(`no route for ${method} ${path}`);
  return row;
}

/** Takes `data` out of an answer after checking that it has exactly the shape which the table promises. */
export function dataOf(answer: Answer, method: string, path: string): Answer['body'] {
  const { answer: schema } = rowOf(method, path);
  if (!schema) throw new Error(`${method} ${path} promises no data`);
  return v.parse(schema, answer.body.data);
}
