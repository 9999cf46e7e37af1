import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { threadCode } from '../../src/assets/thread.ts';
import type { Collector } from '../../src/collect/collector.ts';
import { startJobs } from '../../src/jobs/jobs.ts';
import { siteMails } from '../../src/jobs/mail.ts';
import { logTo } from '../../src/lib/log.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { buildPost } from '../../src/mail/post.ts';
import type { Ask } from '../../src/stats/ask.ts';
import { changePlan } from '../../src/store/accounts.ts';
import { engineOver, type Hit } from '../collect/stage.ts';
import { startApp } from '../helpers.ts';
import { bookOf } from '../ledger/stage.ts';
import { type Mail, mailServer, readMail } from '../mail/server.ts';
import { comersAt, hourly, sourcesOf, store } from '../mail/site.ts';
import { until } from '../program.ts';

const code = await threadCode();
/** The Monday before the tests' clock begins, which is a Tuesday noon. */
const MONDAY = Date.parse('2026-03-09T00:00:00Z') / 1000;
const LAST_WEEK = MONDAY - 7 * DAY;
const EVERYBODY = ['manager@example.com', 'owner@example.com', 'viewer@example.com'];

/** A server whose looks at what is to be mailed are in the hand of the test. */
async function office(t: TestContext, settings: Record<string, unknown>) {
  const server = await mailServer(t);
  const app = await startApp(t, { ...server.settings, 'base-url': 'https://stats.example.com' });
  app.db.run('PRAGMA synchronous = OFF');
  assert.equal((await app.owner.ask('PATCH', `/sites/${app.siteId}`, settings)).status, 200);
  const log = logTo((line) => app.log.push(line), app.clock.now);
  /** Sites whose reports fail. */
  const failing = new Set<number>();
  const sources = sourcesOf(app);
  const ask: Ask = async (question) => {
    if (failing.has(question.siteId)) throw new Error('too slow');
    return sources.ask(question);
  };
  /** As at a start of the server. */
  const start = () => {
    const post = buildPost(app.config, app.clock, log);
    t.after(() => post.settle());
    return siteMails({ ...sources, ask, clock: app.clock, random: randomBytes, log, post });
  };
  let mails = start();
  let read = 0;
  return {
    ...app,
    server,
    failing,
    store: (...hits: Hit[]) =>
      store(
        app.db,
        hits.map((hit) => ({ ...hit, siteId: app.siteId })),
      ),
    /** Sets the clock. */
    at: (moment: number) => app.clock.pass(moment - app.clock.now() / 1000),
    restart(): void {
      mails = start();
    },
    /** Looks, and gives the mails that came. */
    async look(): Promise<Mail[]> {
      await mails.run();
      const fresh = server.mails.slice(read);
      read = server.mails.length;
      return fresh;
    },
  };
}

const recipients = (mails: readonly Mail[]): string[] => mails.flatMap(({ to }) => to).sort();
const subjects = (mails: readonly Mail[]): string[] => [
  ...new Set(mails.map((mail) => readMail(mail).headers.subject ?? '')),
];

test('on Monday at seven the week before is sent once to all who may read the site', async (t) => {
  const { store, at, look, restart } = await office(t, { weekly_report: true });
  await store(...comersAt(3, LAST_WEEK + 10), ...comersAt(2, LAST_WEEK - 10), ...comersAt(9, MONDAY));
  at(MONDAY + 7 * HOUR - 1);
  // The Monday before is too long ago.
  assert.deepEqual(await look(), []);
  at(MONDAY + 7 * HOUR);
  const mails = await look();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(subjects(mails), ['example.com: 3 visitors last week']);
  assert.deepEqual(await look(), []);
  restart();
  assert.deepEqual(await look(), []);
  at(MONDAY + 7 * DAY + 7 * HOUR);
  assert.deepEqual(subjects(await look()), ['example.com: 9 visitors last week']);
});

test('a server that was off on Monday sends the report within 48 hours, and not later', async (t) => {
  const { store, at, look } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK), ...comersAt(1, MONDAY));
  at(MONDAY + 7 * HOUR + 48 * HOUR - 1);
  assert.equal((await look()).length, 3);
  at(MONDAY + 7 * DAY + 7 * HOUR + 48 * HOUR);
  assert.deepEqual(await look(), []);
});

test('a site that nobody came to in both weeks has no report, and one without its switch neither', async (t) => {
  const quiet = await office(t, { weekly_report: true });
  await quiet.store(...comersAt(1, MONDAY), ...comersAt(1, LAST_WEEK - 7 * DAY - 10));
  quiet.at(MONDAY + 7 * HOUR);
  assert.deepEqual(await quiet.look(), []);
  const off = await office(t, { weekly_report: false });
  await off.store(...comersAt(1, LAST_WEEK));
  off.at(MONDAY + 7 * HOUR);
  assert.deepEqual(await off.look(), []);
});

test('an account without a plan may not read, and gets no mails', async (t) => {
  const { store, at, look, db, owner } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK));
  changePlan(db, owner.id, null);
  at(MONDAY + 7 * HOUR);
  assert.deepEqual(await look(), []);
});

test('a mail server that is down is tried again, and who got the mail gets no second one', async (t) => {
  const { store, at, look, server, clock, restart } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK));
  at(MONDAY + 7 * HOUR);
  server.state.isDown = true;
  assert.deepEqual(await look(), []);
  assert.equal(server.connections(), 1, 'the others are not tried');
  server.state.isDown = false;
  server.state.refuses = (address) => (address.startsWith('viewer') ? 451 : undefined);
  clock.pass(60);
  assert.deepEqual(recipients(await look()), ['manager@example.com', 'owner@example.com']);
  restart();
  clock.pass(60);
  assert.deepEqual(await look(), []);
  server.state.refuses = () => undefined;
  clock.pass(60);
  assert.deepEqual(recipients(await look()), ['viewer@example.com']);
  clock.pass(60);
  assert.deepEqual(await look(), []);
});

test('a site whose reports fail keeps no mail of another from its readers, and has its own a minute later', async (t) => {
  const app = await office(t, { weekly_report: true });
  const other = app.site(app.owner, 'other.example');
  await app.owner.ask('PATCH', `/sites/${other}`, { weekly_report: true });
  await app.store(...comersAt(1, LAST_WEEK));
  await store(app.db, comersAt(2, LAST_WEEK, { siteId: other }));
  app.at(MONDAY + 7 * HOUR);
  app.failing.add(app.siteId);
  assert.deepEqual(subjects(await app.look()), ['other.example: 2 visitors last week']);
  assert.match(app.log.join(''), /its reports failed[^\n]+"site":1,"reason":"too slow"/);
  app.failing.clear();
  app.clock.pass(60);
  assert.deepEqual(subjects(await app.look()), ['example.com: 1 visitor last week']);
});

test('an address that the mail server never takes is not tried again', async (t) => {
  const { store, at, look, server, clock } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK));
  server.state.refuses = (address) => (address.startsWith('viewer') ? 550 : undefined);
  at(MONDAY + 7 * HOUR);
  assert.equal((await look()).length, 2);
  server.state.refuses = () => undefined;
  clock.pass(60);
  assert.deepEqual(await look(), []);
});

test('at most 50 mails are sent in a look, the others in the next ones', async (t) => {
  const app = await office(t, { weekly_report: true });
  for (let i = 0; i < 60; i++) app.join(app.owner, await app.person(`reader${i}@example.com`), 'viewer');
  await app.store(...comersAt(1, LAST_WEEK));
  app.at(MONDAY + 7 * HOUR);
  // One for whom it fails each time keeps nobody back.
  app.server.state.refuses = (address) => (address === 'owner@example.com' ? 451 : undefined);
  assert.equal((await app.look()).length, 49);
  assert.equal((await app.look()).length, 13);
  assert.deepEqual(await app.look(), []);
});

test('a mail has both forms, and one click in its header ends those of this person about this site', async (t) => {
  const app = await office(t, { weekly_report: true });
  await app.store(...comersAt(3, LAST_WEEK));
  app.at(MONDAY + 7 * HOUR);
  const mails = await app.look();
  const own = mails.find(({ to }) => to[0] === 'viewer@example.com');
  assert.ok(own);
  const { headers, parts } = readMail(own);
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  const link =
    /^<(https:\/\/stats\.example\.com\/unsubscribe\/[\w-]{36,})>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  assert.ok(parts['text/plain']?.includes(link) && parts['text/html']?.includes(link));
  assert.match(
    parts['text/plain'] ?? '',
    /https:\/\/stats\.example\.com\/sites\/example\.com\?range=2026-03-02~2026-03-08/,
  );
  assert.ok(!parts['text/html']?.includes('<img') && !parts['text/html']?.includes('<script'));
  const form = { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  assert.equal((await app.ask('POST', new URL(link).pathname, form)).status, 200);
  app.at(MONDAY + 7 * DAY + 7 * HOUR);
  assert.deepEqual(recipients(await app.look()), ['manager@example.com', 'owner@example.com']);
});

/** Nine weeks in which so many come each hour, up to the end of an hour. */
const usual = (count: number, to: number): Hit[] => hourly(count, to - 63 * DAY, to);

const TUESDAY_NOON = MONDAY + DAY + 12 * HOUR;

test('an hour far above the usual is told once an episode, with what grew most', async (t) => {
  const { store, at, look, clock, restart } = await office(t, { alert_traffic: true });
  const surge = { source: 'news.example', page: '/launch', utm_campaign: 'spring' };
  await store(...usual(4, TUESDAY_NOON), ...comersAt(60, TUESDAY_NOON, surge));
  at(TUESDAY_NOON + HOUR - 1);
  assert.deepEqual(await look(), []);
  clock.pass(1);
  const mails = await look();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(subjects(mails), ['example.com: far more visitors than usual']);
  const text = readMail(mails[0] as Mail).parts['text/plain'] ?? '';
  assert.match(text, /12:00–13:00 UTC: 60 visitors\. Usual for a Tuesday at this hour: 4\./);
  assert.match(text, /Most likely cause: visitors from news\.example to the page \/launch\./);
  assert.match(text, /Campaign spring +60 +0/);
  restart();
  assert.deepEqual(await look(), []);
  // It goes on, ends with a usual hour, and begins again.
  await store(...comersAt(80, TUESDAY_NOON + HOUR, surge), ...comersAt(4, TUESDAY_NOON + 2 * HOUR));
  await store(...comersAt(70, TUESDAY_NOON + 3 * HOUR, surge));
  clock.pass(HOUR);
  assert.deepEqual(await look(), []);
  clock.pass(HOUR);
  assert.deepEqual(await look(), []);
  clock.pass(HOUR);
  assert.equal((await look()).length, 3);
});

test('a handful of people on a small site, and a site without a past, alarm nobody', async (t) => {
  const small = await office(t, { alert_traffic: true });
  await small.store(...usual(1, TUESDAY_NOON), ...comersAt(20, TUESDAY_NOON));
  small.at(TUESDAY_NOON + HOUR);
  assert.deepEqual(await small.look(), []);
  const fresh = await office(t, { alert_traffic: true });
  await fresh.store(...hourly(2, TUESDAY_NOON - 20 * DAY, TUESDAY_NOON), ...comersAt(500, TUESDAY_NOON));
  fresh.at(TUESDAY_NOON + HOUR);
  assert.deepEqual(await fresh.look(), []);
});

test('a silence is told once when 12 were expected, and once more when somebody comes again', async (t) => {
  const { store, at, look, clock, restart } = await office(t, { alert_silence: true });
  await store(...usual(6, TUESDAY_NOON));
  at(TUESDAY_NOON - 2 * HOUR);
  restart();
  for (let minute = -120; minute <= 0; minute += 10) {
    at(TUESDAY_NOON + minute * 60);
    assert.deepEqual(await look(), []);
  }
  // The last one came five seconds after eleven.
  const minutes = async (from: number, to: number): Promise<Mail[]> => {
    const all: Mail[] = [];
    for (let minute = from; minute < to; minute += 5) {
      at(TUESDAY_NOON + minute * 60);
      all.push(...(await look()));
    }
    return all;
  };
  assert.deepEqual(await minutes(5, 60), []);
  const told = await minutes(60, 90);
  assert.deepEqual(recipients(told), EVERYBODY);
  const text = readMail(told[0] as Mail).parts['text/plain'] ?? '';
  assert.match(text, /The last hit came at Tue 10 Mar, 11:00 UTC \(2026-03-10T11:00:05Z\)\./);
  assert.match(text, /usually 1[2-4](\.\d)? visitors come in the same time/);
  assert.deepEqual(await minutes(90, 120), []);
  restart();
  assert.deepEqual(await minutes(120, 150), []);
  await store(...comersAt(1, TUESDAY_NOON + 150 * 60));
  clock.pass(900);
  assert.deepEqual(subjects(await look()), ['example.com: visitors are back']);
  clock.pass(900);
  assert.deepEqual(await look(), []);
});

test('while the server did not run, nobody knows whether it was silent', async (t) => {
  const { store, at, look, restart } = await office(t, { alert_silence: true });
  await store(...usual(6, TUESDAY_NOON));
  at(TUESDAY_NOON + 10 * HOUR);
  restart();
  assert.deepEqual(await look(), []);
  // A machine that slept looks as if it had been off.
  at(TUESDAY_NOON + 20 * HOUR);
  assert.deepEqual(await look(), []);
  let told: Mail[] = [];
  let minutes = 0;
  for (; told.length === 0; minutes += 10) {
    at(TUESDAY_NOON + 20 * HOUR + minutes * 60);
    told = await look();
  }
  assert.equal(minutes, 130);
  assert.match(readMail(told[0] as Mail).parts['text/plain'] ?? '', /The server was started at Wed 11 Mar, 08:00 UTC/);
});

test('a silence that is over before the mail could go out is not told', async (t) => {
  const { store, at, look, server } = await office(t, { alert_silence: true });
  await store(...usual(20, TUESDAY_NOON));
  at(TUESDAY_NOON + 600);
  await look();
  server.state.isDown = true;
  for (let minute = 10; minute < 90; minute += 10) {
    at(TUESDAY_NOON + minute * 60);
    await look();
  }
  assert.ok(server.connections() > 0);
  await store(...comersAt(1, TUESDAY_NOON + 90 * 60));
  server.state.isDown = false;
  at(TUESDAY_NOON + 100 * 60);
  assert.deepEqual(await look(), []);
});

test('without a mail server no mail is looked for', async (t) => {
  const app = await startApp(t);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { weekly_report: true });
  await store(app.db, comersAt(1, LAST_WEEK, { siteId: app.siteId }));
  const log = () => assert.fail();
  const post = buildPost(app.config, app.clock, log);
  app.clock.pass(MONDAY + 7 * HOUR - app.clock.now() / 1000);
  await siteMails({ ...sourcesOf(app), clock: app.clock, random: randomBytes, log, post }).run();
  assert.equal(app.db.one('SELECT 1 FROM mailing'), undefined);
});

test('the server looks at its mails after its other jobs, whatever becomes of them, and not after it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { path, db } = bookOf(t);
  const lines: string[] = [];
  let looks = 0;
  let isStopped = false;
  const mails = {
    async run() {
      looks++;
      throw new Error('no');
    },
    stop() {
      isStopped = true;
    },
  };
  const clock = { now: () => MONDAY * 1000, tick: () => performance.now() };
  const collector = { turn: () => {} } as unknown as Collector;
  const log = (event: string) => lines.push(event);
  const copies = { folder: `${path}.backups`, keep: 0 };
  const jobs = startJobs({ db, path, code, engine: engineOver(db), clock, collector, log, copies, mails });
  const looked = (times: number) =>
    until(`${times} looks`, () => {
      t.mock.timers.tick(60_000);
      return looks >= times;
    });
  await looked(1);
  await looked(2);
  await jobs.stop();
  assert.ok(isStopped);
  assert.deepEqual([...new Set(lines)], ['mailing failed; it is tried again in a minute']);
  const before = looks;
  t.mock.timers.tick(600_000);
  assert.equal(looks, before);
});
