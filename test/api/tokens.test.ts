import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Ability } from '../../src/store/people/tokens.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('the plain token is in one answer only, works, and only its hash is kept', async (t) => {
  const { ask, owner, db } = await startApp(t);
  const answer = await owner.ask('POST', '/tokens', { name: 'CI', abilities: ['read'] });
  assert.equal(answer.status, 201);
  const { token, ...rest } = dataOf(answer, 'POST', '/tokens');
  assert.match(token, /^\d+\|dbk_[0-9A-Za-z]{40}[0-9a-f]{8}$/);
  assert.deepEqual(rest, {
    id: rest.id,
    name: 'CI',
    abilities: ['read'],
    created_at: '2026-03-10T12:00:00Z',
    last_used_at: null,
  });
  assert.equal((await ask('GET', '/api/v1/account', { token })).status, 200);

  const list = await owner.ask('GET', '/tokens');
  const listed = dataOf(list, 'GET', '/tokens').find(({ id }: { id: number }) => id === rest.id);
  assert.deepEqual(listed, { ...rest, last_used_at: '2026-03-10T12:00:00Z' });
  const secret = token.split('|')[1];
  assert.ok(!list.text.includes(secret));
  const row = db.one<{ hash: Buffer }>('SELECT hash FROM token WHERE id = ?', rest.id);
  assert.deepEqual(row?.hash, createHash('sha256').update(secret).digest());
});

test('abilities are kept once each in one order, and unknown ones are refused', async (t) => {
  const { owner } = await startApp(t);
  const add = (abilities: unknown) => owner.ask('POST', '/tokens', { name: 'x', abilities });
  const kept = async (abilities: string[]) => (await add(abilities)).body.data.abilities;
  assert.deepEqual(await kept(['collect', 'read', 'read']), ['read', 'collect']);
  assert.deepEqual(await kept(['write']), ['write']);
  for (const abilities of [[], 'read', ['admin'], ['read', 1], null, undefined, { 0: 'read' }]) {
    const answer = await add(abilities);
    assert.equal(answer.status, 422, JSON.stringify(abilities));
    assert.match(Object.keys(answer.body.error.fields).join(), /^abilities(\.\d)?$/);
  }
});

test('write includes reading; a token that may only read or only collect changes nothing', async (t) => {
  const app = await startApp(t);
  const ask = async (abilities: Ability[], method: string, path: string) => {
    const asking = { token: app.tokenOf(app.owner, abilities), body: method === 'GET' ? undefined : {} };
    const { status, body } = await app.ask(method, `/api/v1${path}`, asking);
    return body.error?.code ?? status;
  };
  assert.equal(await ask(['write'], 'GET', '/sites'), 200);
  assert.equal(await ask(['read'], 'PATCH', `/sites/${app.siteId}`), 'read_only_token');
  assert.equal(await ask(['read', 'collect'], 'PATCH', `/sites/${app.siteId}`), 'read_only_token');
  assert.equal(await ask(['collect'], 'PATCH', `/sites/${app.siteId}`), 'read_only_token');
  assert.equal(await ask(['collect'], 'GET', '/sites'), 'token_forbidden');
  assert.equal(await ask(['read', 'collect'], 'POST', `/sites/${app.siteId}/notes`), 'read_only_token');
  assert.equal(await ask(['note'], 'PATCH', `/sites/${app.siteId}`), 'read_only_token');
  assert.equal(await ask(['note'], 'GET', `/sites/${app.siteId}/notes`), 'token_forbidden');
});

test('the 26th token is refused, and parallel ones do not pass', async (t) => {
  const { owner } = await startApp(t);
  const body = { name: 'x', abilities: ['read'] };
  const answers = await Promise.all(Array.from({ length: 30 }, () => owner.ask('POST', '/tokens', body)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 24);
  const refused = await owner.ask('POST', '/tokens', {});
  assert.deepEqual([refused.status, refused.body.error.code], [402, 'limit_reached']);
});

test('a revoked token is refused at once, and one may revoke itself', async (t) => {
  const { owner } = await startApp(t);
  const id = Number(owner.token.split('|')[0]);
  assert.equal((await owner.ask('DELETE', `/tokens/${id}`)).status, 204);
  const answer = await owner.ask('GET', '/account');
  assert.deepEqual([answer.status, answer.headers.get('WWW-Authenticate')], [401, 'Bearer']);
});

test('last use is written at most once a minute', async (t) => {
  const { owner, clock } = await startApp(t);
  const lastUse = async () => (await owner.ask('GET', '/tokens')).body.data[0].last_used_at;
  assert.equal(await lastUse(), '2026-03-10T12:00:00Z');
  clock.pass(59);
  assert.equal(await lastUse(), '2026-03-10T12:00:00Z');
  clock.pass(1);
  assert.equal(await lastUse(), '2026-03-10T12:01:00Z');
});

test('whatever is not a good token is 401, and nothing tells why', async (t) => {
  const { ask, owner } = await startApp(t);
  const [id, secret = ''] = owner.token.split('|');
  const other = secret.endsWith('0') ? '1' : '0';
  const bad = [
    ['', `Bearer`, 'Bearer ', 'Basic abc', owner.token, `Token ${owner.token}`],
    [
      `Bearer ${id}`,
      `Bearer ${id}|`,
      `Bearer |${secret}`,
      `Bearer ${id}|${secret}x`,
      `Bearer ${id}|${secret.slice(0, -1)}${other}`,
    ],
    [
      `Bearer 0${id}|${secret}`,
      `Bearer -1|${secret}`,
      `Bearer 999|${secret}`,
      `Bearer ${id}|${secret} x`,
      `Bearer ${'9'.repeat(400)}|${secret}`,
    ],
  ].flat();
  const texts = new Set<string>();
  for (const authorization of bad) {
    const answer = await ask('GET', '/api/v1/account', { headers: { authorization } });
    assert.equal(answer.status, 401, authorization);
    texts.add(answer.text);
  }
  assert.equal(texts.size, 1);
  for (const authorization of [`bearer ${owner.token}`, `BEARER   ${owner.token} `]) {
    assert.equal((await ask('GET', '/api/v1/account', { headers: { authorization } })).status, 200);
  }
  assert.equal((await ask('GET', `/api/v1/account?token=${owner.token}`)).status, 401);
});
