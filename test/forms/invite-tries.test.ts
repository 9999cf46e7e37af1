import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';
import { invited, NEW, RIGHT, STRANGER, seen, WRONG } from './invited.ts';

/** Uses up the tries of a link. */
async function tryInVain(app: TestApp, path: string): Promise<void> {
  for (let i = 0; i < 10; i++) assert.equal((await app.ask('POST', path, { body: WRONG })).status, 422);
}

test('after ten tries of a password a link takes none for a quarter of an hour', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const other = await invited(app.owner, NEW);
  await tryInVain(app, path);
  app.clock.pass(60);
  const { status, headers, body } = await app.ask('POST', path, { body: RIGHT });
  assert.equal(status, 429);
  assert.equal(body.error.code, 'rate_limited');
  assert.equal(headers.get('Retry-After'), '840');
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.equal((await app.ask('GET', path)).status, 200);
  assert.equal((await app.ask('POST', other.path, { body: WRONG })).status, 200);

  app.clock.pass(839);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 429);
  app.clock.pass(1);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('the tenth try is still looked at, and tries at once are counted as well', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const many = await Promise.all(Array.from({ length: 20 }, () => app.ask('POST', path, { body: WRONG })));
  assert.equal(many.filter(({ status }) => status === 422).length, 10);
  assert.equal(many.filter(({ status }) => status === 429).length, 10);
  app.clock.pass(900);
  for (let i = 0; i < 9; i++) assert.equal((await app.ask('POST', path, { body: WRONG })).status, 422);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('a browser is told after too many tries when to come back', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  await tryInVain(app, path);
  const { status, headers, text } = await app.ask('POST', path, form({ email: STRANGER, ...RIGHT }));
  assert.equal(status, 429);
  assert.match(text, /<div role="alert"><p class="error">/);
  assert.match(text, /<form method="post">/);
  assert.equal(headers.get('Retry-After'), '900');
});

test('renewing an invitation gives no more tries', async (t) => {
  const app = await startApp(t);
  await tryInVain(app, (await invited(app.owner, STRANGER)).path);
  const renewed = await invited(app.owner, STRANGER);
  assert.equal((await app.ask('POST', renewed.path, { body: RIGHT })).status, 429);
});

test('withdrawing and inviting again gives no more tries', async (t) => {
  const app = await startApp(t);
  const first = await invited(app.owner, STRANGER);
  await tryInVain(app, first.path);
  assert.equal((await app.owner.ask('DELETE', `/team/${first.id}`)).status, 204);
  const second = await invited(app.owner, STRANGER);
  assert.equal((await app.ask('POST', second.path, { body: WRONG })).status, 429);
});
