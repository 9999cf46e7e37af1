import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeLinkSecret } from '../../src/lib/secrets.ts';
import { DAY, HOUR, seconds } from '../../src/lib/time.ts';
import { setPasswordLink } from '../../src/store/people/users.ts';
import { emptyApp, startApp, type TestApp } from '../support/helpers.ts';
import { invited, NEW, seen } from './invited.ts';
import { GOOD, pathOf } from './setting-up.ts';

/** Somebody looks at a link when its time is over, and again when the clock has gone back to before that. */
async function assertStaysExpired(app: TestApp, path: string, lasts: number, body: object): Promise<void> {
  assert.equal((await app.ask('GET', path)).status, 200);
  app.clock.pass(lasts);
  assert.equal((await app.ask('GET', path)).status, 404);
  for (const back of [1, HOUR, lasts]) {
    app.clock.jump(-back);
    assert.equal((await app.ask('GET', path)).status, 404, `${back} s back`);
    assert.equal((await app.ask('POST', path, { body })).status, 404, `${back} s back`);
  }
}

test('an invitation that has expired stays so when the clock goes back, and can be renewed', async (t) => {
  const app = await startApp(t);
  const { path, id } = await invited(app.owner, NEW);
  const body = { password: 'correct horse' };
  await assertStaysExpired(app, path, 5 * DAY, body);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');
  const renewed = await invited(app.owner, NEW);
  assert.equal(renewed.id, id);
  assert.equal((await app.ask('POST', renewed.path, { body })).status, 200);
});

test('a link that sets a password stays expired when the clock goes back', async (t) => {
  const app = await startApp(t);
  const secret = makeLinkSecret(randomBytes);
  app.db.write(() => setPasswordLink(app.db, app.owner.id, secret, seconds(app.clock) + HOUR));
  await assertStaysExpired(app, `/password/${secret}`, HOUR, { password: 'another password' });
});

test('the link that sets the server up stays expired when the clock goes back', async (t) => {
  const app = await emptyApp(t);
  await assertStaysExpired(app, pathOf(app), HOUR, GOOD);
});
