import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { findSubscriber, makeMailKey, writeUnsubscribeSecret } from '../../src/store/mail/unsubscribed.ts';
import { removeSite } from '../../src/store/sites/sites.ts';
import { startApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';

async function subscribed(t: TestContext) {
  const app = await startApp(t);
  const secretOf = (userId: number, siteId = app.siteId): string =>
    writeUnsubscribeSecret(makeMailKey(app.db, randomBytes), { siteId, userId });
  const secret = secretOf(app.viewer.id);
  const gone = (one = secret): boolean | undefined => findSubscriber(app.db, one)?.isUnsubscribed;
  return { ...app, secret, secretOf, gone, path: `/unsubscribe/${secret}` };
}

test('looking at the link changes nothing, as mail scanners do; its form ends the mails, and takes that back', async (t) => {
  const { ask, path, gone } = await subscribed(t);
  for (let i = 0; i < 2; i++) {
    const seen = await ask('GET', path);
    assert.equal(seen.status, 200);
    assert.match(seen.text, /viewer@example\.com gets reports and alerts about example\.com\./);
    assert.equal(seen.headers.get('Referrer-Policy'), 'no-referrer');
    assert.equal((await ask('HEAD', path)).status, 200);
    assert.equal(gone(), false);
  }
  const done = await ask('POST', path, form({}));
  assert.match(done.text, /viewer@example\.com no longer gets e-mails about example\.com/);
  assert.equal(gone(), true);
  assert.match((await ask('GET', path)).text, /Subscribe again/);
  const back = await ask('POST', path, form({ again: 'yes' }));
  assert.match(back.text, /viewer@example\.com gets reports/);
  assert.equal(gone(), false);
});

test('a mail program ends them with one request of its own, in either form and also twice', async (t) => {
  const { ask, path, gone, secretOf, owner } = await subscribed(t);
  const urlencoded = {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
  };
  for (let i = 0; i < 2; i++) {
    const { status, body } = await ask('POST', path, urlencoded);
    assert.deepEqual([status, body.data], [200, { domain: 'example.com', subscribed: false }]);
    assert.equal(gone(), true);
  }
  const multipart = {
    body: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
  assert.equal(gone(secretOf(owner.id)), false);
  assert.equal((await ask('POST', `/unsubscribe/${secretOf(owner.id)}`, multipart)).status, 200);
  assert.equal(gone(secretOf(owner.id)), true);
});

test('nobody can make the link of somebody else, or of another site', async (t) => {
  const { ask, secret, secretOf, gone, viewer, owner, siteId, strangerSiteId } = await subscribed(t);
  const sign = secret.slice(-32);
  const other = sign.startsWith('A') ? 'B' : 'A';
  const forged = [
    `${siteId}-${owner.id}-${sign}`,
    `${strangerSiteId}-${viewer.id}-${sign}`,
    `${siteId}-${viewer.id}-${other}${sign.slice(1)}`,
    `${siteId}-${viewer.id}-${sign.slice(1)}`,
    `${siteId}-${viewer.id}-`,
    `0${secret}`,
    `${secret}A`,
    'x',
    writeUnsubscribeSecret(randomBytes(32), { siteId, userId: viewer.id }),
  ];
  for (const one of forged) {
    assert.equal((await ask('GET', `/unsubscribe/${one}`)).status, 404, one);
    assert.equal((await ask('POST', `/unsubscribe/${one}`, form({}))).status, 404, one);
  }
  assert.equal(gone(), false);
  assert.equal(gone(secretOf(owner.id)), false);
});

test('before the first mail no link is good, and after the site is gone none is any more', async (t) => {
  const app = await startApp(t);
  assert.equal((await app.ask('GET', `/unsubscribe/1-1-${'A'.repeat(32)}`)).status, 404);
  const { ask, db, path, siteId } = await subscribed(t);
  await ask('POST', path, form({}));
  db.write(() => removeSite(db, siteId));
  assert.equal((await ask('GET', path)).status, 404);
});

test('the key stays the same, so that links in old mails go on', async (t) => {
  const { db, path, restart, ask } = await subscribed(t);
  assert.deepEqual(makeMailKey(db, randomBytes), makeMailKey(db, randomBytes));
  await restart();
  assert.equal((await ask('GET', path)).status, 200);
});

test('other methods and bodies beyond 64 KiB are refused', async (t) => {
  const { ask, path, gone } = await subscribed(t);
  assert.equal((await ask('PUT', path)).status, 405);
  const large = { ...form({}), body: `a=${'x'.repeat(70_000)}` };
  assert.equal((await ask('POST', path, large)).status, 413);
  assert.equal(gone(), false);
});
