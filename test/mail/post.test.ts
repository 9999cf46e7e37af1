import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan, setPlan } from '../../src/store/people/plans.ts';
import { emptyApp, startApp } from '../support/helpers.ts';
import { ANN, FROM, invite, lastOf, linkIn, logged, mailTo, read } from './inviting.ts';
import { type Mail, mailServer } from './server.ts';

test('inviting sends one plain mail with a link that is not the one in the answer', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const link = await invite(app.owner, 'Ann@Example.com');
  const mail = await server.next();
  assert.equal(mail.from, FROM);
  assert.deepEqual(mail.to, [ANN]);

  const { headers, text } = read(mail);
  assert.equal(headers.from, FROM);
  assert.equal(headers.to, ANN);
  assert.equal(headers.subject, 'Invitation to a daybook account');
  assert.match(headers['content-type'] ?? '', /^text\/plain; charset=utf-8/);
  const mailed = linkIn(mail);
  assert.notEqual(mailed, link);
  assert.ok(!text.includes(lastOf(link)));
  assert.match(text, /owner@example\.com has invited you to view their website statistics\./);
  assert.doesNotMatch(text, /<\w/);

  await app.post.settle();
  assert.equal(server.mails.length, 1);
  assert.equal(logged(app, 'e-mail sent').length, 1);
  for (const secret of [link, mailed]) assert.ok(!app.log.join('').includes(lastOf(secret)));
});

test('a long link comes whole, and a sender may have a name', async (t) => {
  const server = await mailServer(t);
  const base = `https://${'statistics-'.repeat(5)}of.${'department-'.repeat(5)}one.example.com`;
  const settings = { ...mailTo(server.port), 'mail-from': 'Daybook <daybook@example.com>', 'base-url': base };
  const app = await startApp(t, settings);
  const link = await invite(app.owner, "o'brien+x=3D@example.com");
  assert.ok(link.startsWith(`${base}/invite/`));
  const mail = await server.next();
  assert.equal(mail.from, FROM);
  assert.deepEqual(mail.to, ["o'brien+x=3d@example.com"]);
  const { headers, text } = read(mail);
  assert.equal(headers.from, 'Daybook <daybook@example.com>');
  const mailed = text.split('\n').find((line) => line.startsWith(`${base}/invite/`)) ?? '';
  assert.equal((await app.ask('GET', new URL(mailed).pathname)).status, 200);
});

test('renewing sends another mail, and nothing else about a team sends any', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  await invite(app.owner, ANN);
  const first = linkIn(await server.next());
  await invite(app.owner, ANN, 'manager');
  const renewed = await server.next();
  const second = linkIn(renewed);
  assert.notEqual(second, first);
  assert.match(read(renewed).text, /view and manage/);

  const team = await app.owner.ask('GET', '/team');
  const { id } = team.body.data.members.find(({ email }: { email: string }) => email === ANN);
  assert.equal((await app.owner.ask('PATCH', `/team/${id}`, { role: 'viewer' })).status, 200);
  assert.equal((await app.ask('GET', new URL(second).pathname)).status, 200);
  assert.equal((await app.ask('POST', new URL(second).pathname, { body: { password: 'correct horse' } })).status, 200);
  assert.equal((await app.owner.ask('DELETE', `/team/${id}`)).status, 204);
  await app.post.settle();
  assert.equal(server.mails.length, 2);
});

test('the answer does not wait for the mail server, but settling does', async (t) => {
  const released = Promise.withResolvers<void>();
  const arrived = new EventEmitter();
  const server = await mailServer(t, {
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        arrived.emit('mail');
        void released.promise.then(() => done());
      });
    },
  });
  const app = await startApp(t, mailTo(server.port));
  let count = 0;
  const both = new Promise<void>((resolve) => arrived.on('mail', () => ++count === 2 && resolve()));
  await invite(app.owner, ANN);
  await invite(app.stranger, ANN);
  let isSettled = false;
  const settling = app.post.settle().then(() => {
    isSettled = true;
  });
  await both;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!isSettled);
  assert.deepEqual(logged(app, 'e-mail sent'), []);
  released.resolve();
  await settling;
  assert.equal(logged(app, 'e-mail sent').length, 2);
});

test('settling without anything under way is done at once', async (t) => {
  const server = await mailServer(t);
  for (const settings of [{}, mailTo(server.port)]) {
    const { post } = await emptyApp(t, settings);
    await post.settle();
    await post.settle();
  }
  assert.equal(server.mails.length, 0);
});

test('without a mail server the link is in the answer and in one line for the operator', async (t) => {
  const app = await startApp(t);
  const link = await invite(app.owner, ANN);
  await app.post.settle();
  assert.equal(app.log.length, 1);
  const [line] = logged(app, 'invitation created. There is no mail server, so share the link yourself');
  assert.equal(line?.url, link);
  assert.equal((await app.ask('POST', new URL(link).pathname, { body: { password: 'correct horse' } })).status, 200);
  assert.equal(app.log.length, 1);
});

test('an account has twenty mails a day; the link of the next is in its answer only', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  for (let i = 1; i <= 20; i++) await invite(app.owner, `guest${i}@example.com`);
  await app.post.settle();
  assert.equal(server.mails.length, 20);

  const NOT_MAILED =
    'invitation not mailed: the account has reached its daily e-mail limit. Its owner can share the link';
  assert.deepEqual(logged(app, NOT_MAILED), []);
  const late = await invite(app.owner, 'late@example.com');
  // Renewing is no way around it.
  await invite(app.owner, 'guest1@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 20);
  assert.deepEqual(
    logged(app, NOT_MAILED).map(({ account }) => account),
    [app.owner.accountId, app.owner.accountId],
  );
  assert.ok(!app.log.join('').includes(lastOf(late)));
  // That link is good all the same: the code for it has limits of its own.
  assert.equal((await app.ask('GET', new URL(late).pathname)).status, 200);
  await app.post.settle();
  assert.deepEqual(server.mails[20]?.to, ['late@example.com']);

  await invite(app.stranger, ANN);
  await app.post.settle();
  assert.equal(server.mails.length, 22);
  assert.match(read(server.mails[21] as Mail).text, /^stranger@example\.com has invited you/m);

  // Nor is a new start of the server.
  await app.restart();
  app.clock.pass(DAY - 1);
  await invite(app.owner, 'early@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 22);
  app.clock.pass(1);
  await invite(app.owner, 'tomorrow@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 23);
  assert.deepEqual(server.mails[22]?.to, ['tomorrow@example.com']);
});

test('no mail is sent about a change that was not made', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  setPlan(app.db, 'small', { sites: null, members: 2, events: null });
  changePlan(app.db, app.owner.id, findPlan(app.db, 'small')?.id ?? 0);
  const full = await app.owner.ask('POST', '/team', { email: ANN, role: 'viewer' });
  assert.equal(full.status, 402);
  assert.equal(full.body.error.code, 'limit_reached');

  const readOnly = app.tokenOf(app.stranger, ['read']);
  const body = { email: ANN, role: 'viewer' };
  assert.equal((await app.ask('POST', '/api/v1/team', { token: readOnly, body })).status, 403);
  assert.equal((await app.ask('POST', '/api/v1/team', { body })).status, 401);
  for (const wrong of [
    { ...body, email: 'stranger@example.com' },
    { ...body, role: 'owner' },
    { ...body, x: 1 },
  ]) {
    assert.equal((await app.stranger.ask('POST', '/team', wrong)).status, 422);
  }
  assert.equal((await app.manager.ask('POST', '/team', { ...body, email: 'manager@example.com' })).status, 422);

  // Everything about inviting succeeds, and then it cannot be kept: this reference is looked at when all is done.
  app.db.run('CREATE TABLE probe (id INTEGER REFERENCES member (id) DEFERRABLE INITIALLY DEFERRED)');
  app.db.run('CREATE TRIGGER failing AFTER INSERT ON invitation BEGIN INSERT INTO probe VALUES (-1); END');
  assert.equal((await app.stranger.ask('POST', '/team', body)).status, 500);
  assert.deepEqual((await app.stranger.ask('GET', '/team')).body.data.members, []);
  await app.post.settle();
  assert.equal(server.mails.length, 0);
  app.db.run('DROP TRIGGER failing');
  await invite(app.stranger, ANN);
  assert.deepEqual((await server.next()).to, [ANN]);
  await app.post.settle();
  assert.equal(server.mails.length, 1);
});
