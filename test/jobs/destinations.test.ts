import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Resolve } from '../../src/destinations/resolve.ts';
import { siteMails } from '../../src/jobs/mail.ts';
import { coded } from '../../src/lang/coded.ts';
import { logTo } from '../../src/lib/log.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { buildPost } from '../../src/mail/post.ts';
import { addMailing, endMailing } from '../../src/store/mail/mailings.ts';
import {
  addDestination,
  DESTINATION_KINDS,
  type DestinationKind,
  noteFailure,
} from '../../src/store/sites/destinations.ts';
import { SERVICES } from '../destinations/services.ts';
import { receiver } from '../mail/receiver.ts';
import { mailServer } from '../mail/server.ts';
import { comersAt, sourcesOf, store } from '../mail/site.ts';
import { startApp } from '../support/helpers.ts';
import { LAST_WEEK, MONDAY } from './office.ts';

const REPORT = MONDAY + 7 * HOUR;

type Office = { mail?: object; channels?: string; resolve?: Resolve };

/** A server with channels, whose looks at what is due are in the hand of the test, just before a weekly report. */
async function office(t: TestContext, { mail = {}, channels = 'on', resolve }: Office = {}) {
  const app = await startApp(t, { ...mail, 'base-url': 'https://stats.example.com', 'channels-private': channels });
  const log = logTo((line) => app.log.push(line), app.clock.now);
  const start = () => {
    const post = buildPost(app.config, log, app.db);
    t.after(() => post.settle());
    const collector = { refusing: () => undefined };
    return siteMails({ ...sourcesOf(app), clock: app.clock, random: randomBytes, log, post, collector, resolve });
  };
  let mails = start();
  const at = (moment: number) => app.clock.pass(moment - app.clock.now() / 1000);
  await store(app.db, comersAt(3, LAST_WEEK, { siteId: app.siteId }));
  at(REPORT);
  const path = `/sites/${app.siteId}/channels`;
  return {
    ...app,
    at,
    path,
    look: () => mails.run(),
    restart(): void {
      mails.stop();
      mails = start();
    },
    /** Adds a channel to a service on this machine. */
    async join<Kind extends DestinationKind>(kind: Kind, more = {}) {
      const hook = await receiver(t, '');
      const { settings, status, check } = SERVICES[kind];
      hook.state.status = status;
      const body = { kind, name: kind, settings: settings(hook.url), messages: ['weekly'], ...more };
      const added = await app.owner.ask('POST', path, body);
      assert.equal(added.status, 201);
      const { id } = added.body.data;
      const find = async () =>
        (await app.owner.ask('GET', path)).body.data.find((one: { id: number }) => one.id === id);
      return { ...hook, id, find, read: () => hook.received.map(check) };
    },
  };
}

test('channels: each kind gets the weekly report once, without a mail server and with the site’s e-mails off', async (t) => {
  const app = await office(t);
  const hooks = [];
  for (const kind of DESTINATION_KINDS) hooks.push(await app.join(kind));
  for (let i = 0; i < 3; i++) {
    await app.look();
    app.restart();
    app.clock.pass(HOUR);
  }
  for (const hook of hooks) {
    assert.equal(hook.received.length, 1);
    const [{ text, link } = { text: '', link: '' }] = hook.read();
    assert.match(text, /Visitors:? +3/);
    assert.equal(link, 'https://stats.example.com/sites/example.com?range=2026-03-02~2026-03-08');
    const { sent_at, failure } = await hook.find();
    assert.deepEqual([sent_at, failure], ['2026-03-09T07:00:00Z', null]);
  }
});

test('channels: messages are in the language of the channel, and only of the kinds that it lists', async (t) => {
  const app = await office(t);
  const german = await app.join('slack', { language: 'de' });
  const french = await app.join('ntfy', { language: 'fr' });
  const other = await app.join('discord', { messages: ['traffic', 'goals'] });
  await app.look();
  assert.match(german.read()[0]?.text ?? '', /Besucher +3/);
  assert.match(french.read()[0]?.text ?? '', /Visiteurs: 3/);
  assert.equal(other.received.length, 0);
});

test('channels: e-mails and channels do not depend on each other', async (t) => {
  const server = await mailServer(t);
  const app = await office(t, { mail: server.settings });
  const hook = await app.join('slack');
  await app.look();
  assert.deepEqual([server.mails.length, hook.received.length], [0, 1]);
});

test('channels: one that fails or hangs is tried again later, and holds up no other', async (t) => {
  const app = await office(t);
  const failing = await app.join('slack');
  const hanging = await app.join('gotify');
  const good = await app.join('discord');
  failing.state.status = 500;
  hanging.state.status = 0;
  const looking = app.look();
  while (
    hanging.received.length === 0 ||
    (await failing.find()).failure === null ||
    (await good.find()).sent_at === null
  )
    await new Promise(setImmediate);
  app.restart();
  await looking;
  assert.equal((await failing.find()).failure, 'the answer had status 500');
  assert.equal((await hanging.find()).failure, null, 'it was the server that stopped');
  hanging.state.status = 200;
  for (const [minutes, tries] of [
    [0, 1],
    [1, 2],
    [1, 2],
    [4, 3],
    [30, 4],
  ] as const) {
    app.clock.pass(minutes * MINUTE);
    await app.look();
    assert.equal(failing.received.length, tries);
  }
  assert.deepEqual([good.received.length, hanging.received.length], [1, 2]);
  failing.state.status = 200;
  app.clock.pass(2 * HOUR);
  await app.look();
  assert.equal((await failing.find()).failure, null);
  app.clock.pass(DAY);
  await app.look();
  assert.equal(failing.received.length, 5);
});

/** A server with a channel of ntfy at each host, on this machine. `onLookup` is called before a message is sent. */
async function officeAt(t: TestContext, hosts: readonly string[], onLookup: (host: string) => void) {
  const hook = await receiver(t, '');
  const resolve: Resolve = async (host) => {
    onLookup(host);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const app = await office(t, { resolve });
  for (const name of hosts) {
    const settings = { topic: 'x', url: hook.url.replace('127.0.0.1', name) };
    const chosen = { kind: 'ntfy', name, language: 'en', paused: false, now: REPORT } as const;
    app.db.write(() =>
      addDestination(app.db, app.siteId, { ...chosen, messages: ['weekly'] }, { place: name, settings }),
    );
  }
  return { ...app, ...hook };
}

test('channels: one that accepted its last message comes before those that failed', async (t) => {
  const asked: string[] = [];
  const app = await officeAt(t, ['bad.example.com', 'good.example.com'], (host) => asked.push(host));
  noteFailure(app.db, 1, coded('no_answer_in_time'), REPORT - DAY);
  await app.look();
  assert.deepEqual(asked, ['good.example.com', 'bad.example.com']);
  assert.equal(app.received.length, 2);
});

test('channels: after a minute of slow ones, new messages are looked for, and none is lost', async (t) => {
  const hosts = Array.from({ length: 100 }, (_, i) => `slow${i}.example.com`);
  const asked: string[] = [];
  const app = await officeAt(t, hosts, (host) => {
    asked.push(host);
    app.clock.pass(10);
  });
  await app.look();
  assert.ok(asked.length < hosts.length, `${asked.length} tries`);
  for (let look = 0; look < hosts.length; look++) await app.look();
  assert.deepEqual(asked.toSorted(), hosts.toSorted());
  assert.equal(app.received.length, hosts.length);
});

test('channels: a message is given up after seven tries, also across new starts, and the log has no secret', async (t) => {
  const app = await office(t);
  const hook = await app.join('slack');
  hook.state.status = 404;
  for (let minute = 0; minute < (3 * DAY) / MINUTE; minute += 10) {
    if (minute % 100 === 0) app.restart();
    await app.look();
    app.clock.pass(10 * MINUTE);
  }
  assert.equal(hook.received.length, 7);
  const log = app.log.join('');
  assert.match(
    log,
    /message given up[^\n]+"to":"channel 1","kind":"weekly","site":1,"tries":7,"reason":"the URL or its/,
  );
  assert.ok(!log.includes('/services'));
});

test('channels: a receiver that asks for a longer wait gets it', async (t) => {
  const app = await office(t);
  const hook = await app.join('slack');
  Object.assign(hook.state, { status: 429, retryAfter: '600' });
  await app.look();
  app.clock.pass(599);
  await app.look();
  assert.equal(hook.received.length, 1);
  app.clock.pass(1);
  await app.look();
  assert.equal(hook.received.length, 2);
});

test('channels: a paused one gets nothing, and nothing of the time of its pause afterwards', async (t) => {
  const app = await office(t);
  const hook = await app.join('slack', { paused: true });
  const other = await app.join('discord');
  await app.look();
  app.clock.pass(HOUR);
  await app.owner.ask('PATCH', `${app.path}/${hook.id}`, { paused: false });
  const late = await app.join('ntfy');
  await app.look();
  assert.deepEqual([hook.received.length, other.received.length, late.received.length], [0, 1, 0]);
  app.at(REPORT + 7 * DAY);
  await app.look();
  assert.deepEqual([hook.received.length, other.received.length, late.received.length], [1, 2, 1]);
});

test('channels: a removed one gets nothing more', async (t) => {
  const app = await office(t);
  const hook = await app.join('slack');
  hook.state.status = 500;
  await app.look();
  await app.owner.ask('DELETE', `${app.path}/${hook.id}`);
  app.clock.pass(HOUR);
  await app.look();
  assert.equal(hook.received.length, 1);
});

test('channels: that visitors are back is told where the silence was accepted, and nowhere else', async (t) => {
  const app = await office(t);
  const { db, siteId } = app;
  const told = await app.join('webhook', { messages: ['silence'] });
  const deaf = await app.join('webhook', { messages: ['silence'] });
  db.write(() => addMailing(db, { siteId, kind: 'silence', at: REPORT - HOUR, now: REPORT }));
  deaf.state.status = 500;
  await app.look();
  db.write(() => {
    endMailing(db, 1, REPORT);
    addMailing(db, { siteId, kind: 'return', at: REPORT - HOUR, now: REPORT });
  });
  deaf.state.status = 200;
  await app.look();
  const kindsOf = (hook: typeof told) => hook.received.map(({ body }) => JSON.parse(body).kind);
  assert.deepEqual(kindsOf(told), ['silence', 'return']);
  assert.deepEqual(kindsOf(deaf), ['silence']);
});
