import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { rememberRemoved } from '../../src/collect/removed-salts.ts';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import { startJobs } from '../../src/jobs/jobs.ts';
import { siteMails } from '../../src/jobs/mail.ts';
import { HOUR } from '../../src/lib/time.ts';
import { buildPost } from '../../src/mail/post.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { engineOver } from '../collect/stage.ts';
import { bookOf } from '../ledger/stage.ts';
import { receiver } from '../mail/receiver.ts';
import { comersAt, sourcesOf, store } from '../mail/site.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { LAST_WEEK, MONDAY, office, recipients, subjects } from './office.ts';

const code = await loadThreadCode();

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

test('a site whose letter fails keeps no mail and no message of another from coming', async (t) => {
  const hook = await receiver(t);
  const app = await office(t, { weekly_report: true }, hook.url);
  const other = app.site(app.owner, 'other.example');
  await app.owner.ask('PATCH', `/sites/${other}`, { weekly_report: true });
  await app.store(...comersAt(1, LAST_WEEK));
  await store(app.db, comersAt(2, LAST_WEEK, { siteId: other }));
  app.at(MONDAY + 6 * HOUR);
  assert.equal(await app.seal(), 2);
  // The overview can still be read, so the report is due. Its pages cannot.
  const crc = (sign: string) =>
    app.db.run(`UPDATE rollup SET crc = crc ${sign} 1 WHERE name = 'pages'
      AND sealed_day_id IN (SELECT id FROM sealed_day WHERE site_id = ${app.siteId})`);
  crc('+');
  app.at(MONDAY + 7 * HOUR);
  const posted = () => hook.received.map(({ body }) => JSON.parse(body).site);
  assert.deepEqual(subjects(await app.look()), ['other.example: 2 visitors last week']);
  assert.deepEqual(posted(), ['other.example']);
  assert.match(
    app.log.join(''),
    /a letter could not be written[^\n]+"kind":"weekly","site":1,"reason":"[^"]+: rollup pages/,
  );
  crc('-');
  app.clock.pass(60);
  assert.deepEqual(subjects(await app.look()), ['example.com: 1 visitor last week']);
  assert.deepEqual(posted(), ['other.example', 'example.com']);
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

test('mails are tried again once the mail server takes their sender', async (t) => {
  const { store, at, look, server, clock } = await office(t, { weekly_report: true });
  await store(...comersAt(1, LAST_WEEK));
  server.state.refusesSender = true;
  at(MONDAY + 7 * HOUR);
  assert.deepEqual(await look(), []);
  assert.equal(server.connections(), 1, 'the others are not tried');
  server.state.refusesSender = false;
  clock.pass(60);
  assert.equal((await look()).length, 3);
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

test('without a mail server no mail is looked for', async (t) => {
  const app = await startApp(t);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { weekly_report: true });
  await store(app.db, comersAt(1, LAST_WEEK, { siteId: app.siteId }));
  const log = () => assert.fail();
  const post = buildPost(app.config, log, app.db);
  app.clock.pass(MONDAY + 7 * HOUR - app.clock.now() / 1000);
  const collector = { refusing: () => undefined };
  await siteMails({ ...sourcesOf(app), clock: app.clock, random: randomBytes, log, post, collector }).run();
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
  const collector = { everyMinute: () => {}, removedSalts: rememberRemoved(randomBytes) };
  const log = (event: string) => lines.push(event);
  const backups = { folder: `${path}.backups`, keep: 0 };
  const jobs = startJobs({
    db,
    path,
    code,
    ...engineOver(db),
    clock,
    random: randomBytes,
    trust: watchClock(db, clock),
    collector,
    log,
    backups,
    mails,
  });
  const looked = (times: number) =>
    until(`${times} looks`, () => {
      t.mock.timers.tick(60_000);
      return looks >= times;
    });
  await looked(1);
  await looked(2);
  await jobs.stop();
  assert.ok(isStopped);
  assert.deepEqual(lines, ['mails failed. The server tries again in a minute', 'jobs failed, in all']);
  const before = looks;
  t.mock.timers.tick(600_000);
  assert.equal(looks, before);
});
