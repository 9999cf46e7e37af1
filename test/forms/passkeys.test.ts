import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/helpers.ts';
import { cookieOf } from '../support/requests.ts';
import { RIGHT, send } from './signing-in.ts';

const BASE = 'https://stats.example.com';
const HEADERS = { 'sec-fetch-site': 'same-origin' };
const [PRESENT_AND_VERIFIED, WITH_KEY] = [0x05, 0x40];

const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
/** Bytes in CBOR, of a length from 24 to 255. */
const cborBytes = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** A device that makes one passkey, and signs with it. */
function device() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ]);
  const dataOf = (flags: number) => Buffer.concat([sha256('stats.example.com'), Buffer.from([flags, 0, 0, 0, 0])]);
  const clientData = (type: string, challenge: string) =>
    JSON.stringify({ type: `webauthn.${type}`, challenge: b64(challenge), origin: BASE });
  const common = { id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} };
  return {
    make(challenge: string): string {
      const data = Buffer.concat([
        dataOf(PRESENT_AND_VERIFIED | WITH_KEY),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cborBytes(data)],
      ]);
      const response = { clientDataJSON: b64(clientData('create', challenge)), attestationObject: b64(attestation) };
      return JSON.stringify({ ...common, response });
    },
    sign(challenge: string): string {
      const [data, client] = [dataOf(PRESENT_AND_VERIFIED), clientData('get', challenge)];
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) };
      return JSON.stringify({ ...common, response });
    },
  };
}

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
  const key = device();
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
  const other = await post(app, '/factors/passkey', { passkey: device().make(own) }, stranger);
  assert.deepEqual([other.status, Object.keys(other.body.error.fields)], [422, ['passkey']]);
  assert.equal((await post(app, '/factors/passkey', { passkey: device().make(own) }, cookie)).status, 200);
});

test('passkeys: a challenge of the second step does not sign in alone, nor the other way round', async (t) => {
  const { app, cookie } = await stage(t);
  const key = device();
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
