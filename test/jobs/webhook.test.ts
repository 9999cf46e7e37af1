import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { makeWebhook } from '../../src/destinations/webhook.ts';
import { siteMails } from '../../src/jobs/mail.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { readCoded } from '../../src/lib/http/fault.ts';
import { logTo } from '../../src/lib/log.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { buildPost } from '../../src/mail/post.ts';
import { endDelivery, noteTry, SETTINGS_WEBHOOK } from '../../src/store/mail/deliveries.ts';
import { addMailing, endMailing } from '../../src/store/mail/mailings.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { changeLanguage } from '../../src/store/people/users.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { type Received, receiver } from '../mail/receiver.ts';
import { mailServer } from '../mail/server.ts';
import { comersAt, sourcesOf, store } from '../mail/site.ts';
import { folder, startApp } from '../support/helpers.ts';
import { LAST_WEEK, MONDAY } from './office.ts';

const SECRET = 'a secret of the webhook';
const REPORT = MONDAY + 7 * HOUR;

/** A server with a webhook, whose looks at what is due are in the hand of the test, just before a weekly report. */
async function office(t: TestContext, { mail = {}, settings = { weekly_report: true } as object } = {}) {
  const hook = await receiver(t, '/hook?key=hidden');
  const base = { ...mail, 'base-url': 'https://stats.example.com', 'webhook-url': hook.url };
  const secretFile = join(folder(t), 'secret');
  writeFileSync(secretFile, `${SECRET}\n`);
  const app = await startApp(t, { ...base, 'webhook-secret-file': secretFile });
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, settings);
  const outcomes: string[] = [];
  const log = logTo((line) => app.log.push(line), app.clock.now);
  const start = () => {
    const post = buildPost(app.config, log, app.db);
    t.after(() => post.settle());
    return siteMails({
      ...sourcesOf(app),
      clock: app.clock,
      random: randomBytes,
      log,
      post,
      collector: { refusing: () => undefined },
      webhook: makeWebhook(app.config),
      posted: (outcome) => outcomes.push(outcome),
    });
  };
  let mails = start();
  let read = 0;
  const at = (moment: number) => app.clock.pass(moment - app.clock.now() / 1000);
  await store(app.db, comersAt(3, LAST_WEEK, { siteId: app.siteId }));
  at(REPORT);
  return {
    ...app,
    hook,
    outcomes,
    at,
    restart(): void {
      mails.stop();
      mails = start();
    },
    async look(): Promise<Received[]> {
      await mails.run();
      const fresh = hook.received.slice(read);
      read = hook.received.length;
      return fresh;
    },
  };
}

/** As a receiver checks it. */
function isSigned({ headers, body }: Received, secret = SECRET): boolean {
  const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['daybook-signature'])) ?? [];
  return given === createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
}

test('a report is sent to the webhook once for its site, signed, without a mail server', async (t) => {
  const app = await office(t);
  // Only mails are in the language of their reader.
  changeLanguage(app.db, app.owner.id, 'de');
  const messages = await app.look();
  assert.equal(messages.length, 1);
  const [message] = messages as [Received];
  assert.ok(isSigned(message));
  assert.ok(!isSigned(message, 'another secret of some length'));
  assert.ok(!isSigned({ ...message, body: message.body.replace('3', '4') }));
  assert.equal(message.headers['daybook-signature']?.toString().split(',')[0], `t=${REPORT}`);
  assert.equal(message.headers['content-type'], 'application/json');
  const { text, ...rest } = JSON.parse(message.body);
  assert.deepEqual(rest, {
    id: `weekly.1.${REPORT}`,
    kind: 'weekly',
    site: 'example.com',
    at: '2026-03-09T07:00:00Z',
    title: 'example.com last week',
    url: 'https://stats.example.com/sites/example.com?range=2026-03-02~2026-03-08',
  });
  assert.match(text, /Visitors +3 /);
  assert.ok(!text.includes('unsubscribe') && !message.body.includes('@'));
  assert.deepEqual(app.outcomes, ['taken']);
});

test('beside mails it gets its own, and neither keeps the other from coming', async (t) => {
  const server = await mailServer(t);
  const app = await office(t, { mail: server.settings });
  server.state.isDown = true;
  assert.equal((await app.look()).length, 1);
  server.state.isDown = false;
  app.hook.state.status = 500;
  app.clock.pass(MINUTE);
  await app.look();
  assert.equal(server.mails.length, 3, 'one for each reader');
  assert.equal(app.hook.received.length, 1);
});

test('what was not taken is tried again with the same id, later and later, and not again once it was taken', async (t) => {
  const app = await office(t);
  app.hook.state.status = 500;
  const [first] = await app.look();
  app.clock.pass(MINUTE - 1);
  assert.deepEqual(await app.look(), [], 'not yet');
  app.clock.pass(1);
  const [second] = await app.look();
  app.clock.pass(MINUTE);
  assert.deepEqual(await app.look(), [], 'the second wait is longer');
  app.hook.state.status = 200;
  app.restart();
  app.clock.pass(4 * MINUTE);
  const [third] = await app.look();
  const ids = [first, second, third].map((one) => JSON.parse(one?.body ?? '{}').id);
  assert.deepEqual(ids, Array(3).fill(`weekly.1.${REPORT}`));
  assert.ok(third && isSigned(third));
  assert.deepEqual(app.outcomes, ['failed', 'failed', 'taken']);
  for (let i = 0; i < 3; i++) {
    app.restart();
    app.clock.pass(HOUR);
    assert.deepEqual(await app.look(), [], 'never twice, whatever starts anew');
  }
});

test('after its last try a message is given up, also across new starts, and what failed is told without secrets', async (t) => {
  const app = await office(t);
  app.hook.state.status = 503;
  for (let minute = 0; minute < (3 * DAY) / MINUTE; minute += 10) {
    if (minute % 100 === 0) app.restart();
    await app.look();
    app.clock.pass(10 * MINUTE);
  }
  assert.equal(app.hook.received.length, 7);
  assert.deepEqual(app.outcomes, [...Array(6).fill('failed'), 'given_up']);
  app.hook.state.status = 200;
  assert.deepEqual(await app.look(), []);
  const log = app.log.join('');
  assert.match(
    log,
    /message given up[^\n]+"to":"webhook","kind":"weekly","site":1,"tries":7,"reason":"the answer had status 503"/,
  );
  for (const hidden of ['hidden', '/hook', SECRET, 'visitors', 'an answer']) assert.ok(!log.includes(hidden), hidden);
  const noted = findUpkeep(app.db, 'webhook');
  assert.deepEqual(
    [noted?.fine, inEnglish(readCoded(noted?.words ?? ''))],
    [false, `${new URL(app.hook.url).host} did not accept a message: the answer had status 503`],
  );
});

test('a redirect is not followed, and what does not answer or is not there is tried again', async (t) => {
  const elsewhere = await receiver(t);
  const app = await office(t);
  Object.assign(app.hook.state, { status: 307, location: elsewhere.url });
  assert.equal((await app.look()).length, 1);
  assert.equal(elsewhere.received.length, 0);
  assert.deepEqual(app.outcomes, ['failed']);
  assert.match(app.log.join(''), /"reason":"the answer had status 307, a redirect/);
  const gone = readConfig({ 'webhook-url': 'http://127.0.0.1:1/hook' }, { DAYBOOK_WEBHOOK_SECRET: SECRET });
  const nowhere = { ...app, config: { ...app.config, webhookUrl: gone.webhookUrl } };
  app.clock.pass(MINUTE);
  const log = (_: string, details = {}) => app.log.push(JSON.stringify(details));
  const { clock } = app;
  const post = buildPost(app.config, log, app.db);
  const collector = { refusing: () => undefined };
  await siteMails({
    ...sourcesOf(nowhere),
    ...{ clock, random: randomBytes, log, post, collector, webhook: makeWebhook(gone) },
  }).run();
  assert.match(app.log.at(-1) ?? '', /"tries":2,"reason":"no connection \(ECONNREFUSED\)"/);
});

test('a stop ends a try that waits for its answer, and the message comes after the new start', async (t) => {
  const app = await office(t);
  app.hook.state.status = 0;
  const looking = app.look();
  while (app.hook.received.length === 0) await new Promise(setImmediate);
  app.restart();
  await looking;
  app.hook.state.status = 200;
  app.clock.pass(MINUTE);
  assert.equal((await app.look()).length, 1);
  assert.equal(app.outcomes.at(-1), 'taken');
});

test('sites without the setting, and accounts without a plan, send nothing', async (t) => {
  const off = await office(t, { settings: { weekly_report: false } });
  assert.deepEqual(await off.look(), []);
  const blocked = await office(t);
  changePlan(blocked.db, blocked.owner.id, null);
  assert.deepEqual(await blocked.look(), []);
});

test('that visitors are back is sent where the silence was taken, and nowhere else', async (t) => {
  for (const taken of [true, false]) {
    const app = await office(t, { settings: { alert_silence: true } });
    const { db, siteId } = app;
    db.write(() => addMailing(db, { siteId, kind: 'silence', at: REPORT - HOUR, now: REPORT }));
    noteTry(db, { id: 1, destinationId: SETTINGS_WEBHOOK }, REPORT);
    endDelivery(db, { id: 1, destinationId: SETTINGS_WEBHOOK }, taken);
    db.write(() => endMailing(db, 1, REPORT));
    db.write(() => addMailing(db, { siteId, kind: 'return', at: REPORT - HOUR, now: REPORT }));
    const kinds = (await app.look()).map(({ body }) => JSON.parse(body).kind);
    assert.deepEqual(kinds, taken ? ['return'] : []);
  }
});
