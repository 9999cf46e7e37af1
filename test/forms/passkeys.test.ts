import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/helpers.ts';
import { cookieOf } from '../support/requests.ts';
import { certified } from './certified.ts';
import { device } from './device.ts';
import { RIGHT, send } from './signing-in.ts';

const BASE = 'https://stats.example.com';
const HEADERS = { 'sec-fetch-site': 'same-origin' };
async function stage(t: TestContext) {
  const app = await startApp(t, { 'base-url': BASE });
  return { app, cookie: await app.signIn(app.owner), stranger: await app.signIn(app.stranger) };
}

/** The challenge of a page. */
async function challengeOn(app: TestApp, path: string, cookie = ''): Promise<string> {
  const { text } = await app.ask('GET', path, cookie === '' ? {} : { cookie });
  const [, options = ''] = /data-passkey="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(options.replaceAll('&quot;', '"')).challenge;
}

const post = (app: TestApp, path: string, body: object, cookie = '') =>
  app.ask('POST', path, { body, headers: HEADERS, ...(cookie === '' ? {} : { cookie }) });

test('passkeys: one that is in use here already is refused', async (t) => {
  const { app, cookie, stranger } = await stage(t);
  const key = device(BASE);
  const add = async (as: string) =>
    post(app, '/factors/passkey', { passkey: key.make(await challengeOn(app, '/factors/passkey', as)) }, as);
  assert.equal((await add(cookie)).status, 200);
  for (const again of [await add(cookie), await add(stranger)])
    assert.deepEqual(
      [again.status, again.body.error.fields],
      [422, { passkey: 'This passkey is already in use on this server.' }],
    );
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM factor')?.n, 1);
});

test('passkeys: a challenge is good only for the session that asked for it', async (t) => {
  const { app, cookie, stranger } = await stage(t);
  const own = await challengeOn(app, '/factors/passkey', cookie);
  const other = await post(app, '/factors/passkey', { passkey: device(BASE).make(own) }, stranger);
  assert.deepEqual([other.status, Object.keys(other.body.error.fields)], [422, ['passkey']]);
  assert.equal((await post(app, '/factors/passkey', { passkey: device(BASE).make(own) }, cookie)).status, 200);
});

test('passkeys: a challenge of the second step does not sign in alone, nor the other way round', async (t) => {
  const { app, cookie } = await stage(t);
  const key = device(BASE);
  await post(
    app,
    '/factors/passkey',
    { passkey: key.make(await challengeOn(app, '/factors/passkey', cookie)) },
    cookie,
  );
  const half = cookieOf(await send(app, RIGHT));
  const alone = await challengeOn(app, '/sign-in');
  const second = await challengeOn(app, '/sign-in/code', half);
  assert.equal((await post(app, '/sign-in', { passkey: key.sign(second) })).status, 422);
  assert.equal((await post(app, '/sign-in/code', { passkey: key.sign(alone) }, half)).status, 422);
  assert.equal((await post(app, '/sign-in/code', { passkey: key.sign(second) }, half)).status, 200);
  assert.equal((await post(app, '/sign-in', { passkey: key.sign(alone) })).status, 200);
});

test('passkeys: no server in a certificate of a device is asked', async (t) => {
  const { app, cookie } = await stage(t);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const key = device(BASE);
  const { port } = server.address() as AddressInfo;
  const attestation = certified(key.publicKey, `http://127.0.0.1:${port}/list`);
  const passkey = key.make(await challengeOn(app, '/factors/passkey', cookie), attestation);
  const { status, body } = await post(app, '/factors/passkey', { passkey }, cookie);
  assert.deepEqual([status, Object.keys(body.error.fields), asked], [422, ['passkey'], []]);
});
