import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { startApp } from '../support/helpers.ts';
import { ANN, codeIn, invite, linkIn, logged, mailTo } from './inviting.ts';
import { mailServer } from './server.ts';

const ofAddress =
  'invitation not mailed: the e-mail address has reached its daily e-mail limit. Its owner can share the link';
const ofServer = 'invitation not mailed: the server has reached its daily e-mail limit. Its owner can share the link';

async function stage(t: Parameters<typeof startApp>[0]) {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  /** How many mails have been sent so far. */
  const sent = async () => {
    await app.post.settle();
    return server.mails.length;
  };
  return { server, app, sent };
}

test('an address gets five invitations a day, whoever invites and however often the server starts', async (t) => {
  const { app, sent } = await stage(t);
  for (const person of [app.owner, app.stranger, app.manager]) await invite(person, ANN);
  assert.equal(await sent(), 3);
  await app.restart();
  for (const person of [app.owner, app.stranger, app.viewer]) await invite(person, ANN);
  assert.equal(await sent(), 5);
  assert.deepEqual(
    logged(app, ofAddress).map(({ account }) => account),
    [app.viewer.accountId],
  );
  // Whoever is invited by another address is, and whoever was refused has not used up their account's.
  await invite(app.viewer, 'bob@example.com');
  assert.equal(await sent(), 6);
  app.clock.pass(DAY - 1);
  await invite(app.owner, ANN);
  assert.equal(await sent(), 6);
  app.clock.pass(1);
  await invite(app.owner, ANN);
  assert.equal(await sent(), 7);
  assert.ok(!app.log.join('').includes(ANN));
});

test('the server sends 200 invitations a day', async (t) => {
  const { app, sent } = await stage(t);
  const people = await Promise.all(Array.from({ length: 10 }, (_, i) => app.person(`person${i}@example.com`)));
  for (const person of people) {
    for (let i = 0; i < 20; i++) await invite(person, `guest${i}.of.${person.email}`);
  }
  assert.equal(await sent(), 200);
  await app.restart();
  await invite(app.owner, ANN);
  assert.equal(await sent(), 200);
  assert.equal(logged(app, ofServer).length, 1);
  app.clock.pass(DAY);
  await invite(app.owner, ANN);
  assert.equal(await sent(), 201);
});

test('a clock that was far ahead does not keep mails back when it is right again', async (t) => {
  const { app, sent } = await stage(t);
  app.clock.jump(400 * DAY);
  for (let i = 0; i < 6; i++) await invite(app.owner, ANN);
  assert.equal(await sent(), 5);
  app.clock.jump(-400 * DAY);
  await invite(app.owner, ANN);
  assert.equal(await sent(), 6);
});

test('an address gets ten codes a day, and its mailed link goes on without one', async (t) => {
  const { server, app, sent } = await stage(t);
  const path = new URL(await invite(app.owner, ANN)).pathname;
  const mailed = new URL(linkIn(await server.next())).pathname;
  let code = '';
  for (let i = 0; i < 10; i++) {
    assert.equal((await app.ask('GET', path)).status, 200);
    code = codeIn(await server.next());
    app.clock.pass(15 * 60);
    if (i === 5) await app.restart();
  }
  const page = await app.ask('GET', path, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 429);
  assert.match(
    page.text,
    /No code can be sent to ann@example\.com now: the e-mail address has reached its daily limit of codes\./,
  );
  assert.equal(page.headers.get('Retry-After'), String(DAY - 10 * 15 * 60));
  const told = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.deepEqual([told.status, told.body.error.code], [429, 'rate_limited']);
  assert.equal((await app.ask('POST', path, { body: { password: 'correct horse', code } })).status, 422);
  assert.equal(await sent(), 11);
  assert.equal((await app.ask('POST', mailed, { body: { password: 'correct horse' } })).status, 200);
});
