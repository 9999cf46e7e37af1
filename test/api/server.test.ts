import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { Server } from '../../src/api/server.ts';
import { examine } from '../../src/doctor/examine.ts';
import { coded } from '../../src/lang/coded.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { mailServer } from '../mail/server.ts';
import { emptyApp, startApp } from '../support/helpers.ts';
import type { Asking } from '../support/requests.ts';

const PATH = '/api/v1/server';

test('only whoever set the server up is answered, signed in or with a token that may read', async (t) => {
  const app = await startApp(t);
  const { owner, manager, viewer, stranger, siteId } = app;
  // So that another account has a person and a site of its own, and still is not the first.
  app.join(stranger, owner, 'manager');
  const asked = async (asking: Asking) => {
    const { status, body } = await app.ask('GET', PATH, asking);
    return status === 200 ? 200 : `${status} ${body.error.code}`;
  };
  assert.equal(await asked({ token: owner.token }), 200);
  assert.equal(await asked({ token: app.tokenOf(owner, ['read']) }), 200);
  assert.equal(await asked({ cookie: await app.signIn(owner) }), 200);

  assert.equal(await asked({ token: app.tokenOf(owner, ['collect']) }), '403 token_forbidden');
  for (const person of [manager, viewer, stranger]) {
    assert.equal(await asked({ token: person.token }), '403 role_forbidden', person.email);
    assert.equal(await asked({ cookie: await app.signIn(person) }), '403 role_forbidden', person.email);
  }
  assert.equal(await asked({ share: await app.share(owner, siteId) }), '404 not_found');
  assert.equal(await asked({}), '401 unauthenticated');

  // What the machine needs does not depend on a plan.
  changePlan(app.db, owner.id, null);
  changePlan(app.db, stranger.id, null);
  assert.equal(await asked({ token: owner.token }), 200);
  assert.equal(await asked({ token: stranger.token }), '403 role_forbidden');
});

test('it says what daybook doctor says', async (t) => {
  const mail = await mailServer(t);
  const app = await startApp(t, mail.settings);
  const { db, engine, config, clock, owner } = app;
  noteUpkeep(db, 'restore', { at: 0, fine: false, words: 'it is damaged' });
  const path = db.one<{ file: string }>('SELECT file FROM pragma_database_list')?.file ?? '';
  const { status, body } = await owner.ask('GET', '/server');
  assert.equal(status, 200);
  assert.ok(v.is(Server, body.data));
  const withoutFree = (found: unknown) =>
    JSON.parse(
      JSON.stringify(found)
        .replace(/"[\d.]+ [MG]B free/, '"free')
        .replace(/"free":\d+/, '"free":0'),
    );
  const found = await examine({ config, db, ...engine, path, clock });
  assert.deepEqual(withoutFree(body.data.findings), withoutFree(found));
  assert.deepEqual(
    body.data.findings.filter(({ fine }: { fine: boolean }) => !fine).map(({ name }: { name: string }) => name),
    ['restore'],
  );
});

test('server: a visitor who has just come is in the findings at once', async (t) => {
  const app = await startApp(t);
  const { owner } = app;
  const findVisitors = async () => {
    const { findings } = (await owner.ask('GET', '/server')).body.data;
    return findings.find(({ name }: { name: string }) => name === 'visitors').says_codes;
  };
  assert.deepEqual(await findVisitors(), [coded('no_visitors_yet')]);
  const body = { site: 'example.com', url: 'https://example.com/' };
  await app.ask('POST', '/day', { body, address: '203.0.113.9' });
  const [{ code, values }] = await findVisitors();
  assert.deepEqual([code, values.count], ['networks', 1]);
});

test('the mail server is not greeted again within a minute, and nothing secret is told of it', async (t) => {
  const mail = await mailServer(t);
  const host = mail.settings['smtp-url'].replace('smtp://', '');
  const app = await startApp(t, { ...mail.settings, 'smtp-url': `smtp://ann:hunter22@${host}` });
  const texts = await Promise.all(Array.from({ length: 5 }, () => app.owner.ask('GET', '/server')));
  for (const { status, text } of texts) {
    assert.equal(status, 200);
    assert.doesNotMatch(text, /hunter22|\bann\b/);
    assert.ok(text.includes(`${host}: `) || text.includes(`${host} answers`));
  }
  app.clock.pass(59);
  await app.owner.ask('GET', '/server');
  assert.equal(mail.connections(), 1);
  app.clock.pass(1);
  await app.owner.ask('GET', '/server');
  assert.equal(mail.connections(), 2);
});

test('it says how this very request came, and what to do where the proxy is not believed', async (t) => {
  const settings = { 'base-url': 'https://stats.example.com' };
  const headers = { 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'https' };
  const shown = [
    { name: 'X-Forwarded-For', value: '198.51.100.7' },
    { name: 'X-Forwarded-Proto', value: 'https' },
  ];
  const requestOf = async (more: Record<string, string>) => {
    const app = await startApp(t, { ...settings, ...more });
    const asking = { token: app.owner.token, headers, address: '::ffff:127.0.0.1' };
    return (await app.ask('GET', PATH, asking)).body.data.request;
  };
  assert.deepEqual(await requestOf({ 'trusted-proxies': '127.0.0.1' }), {
    fine: true,
    says: 'Your request came from 198.51.100.7, according to the trusted proxy 127.0.0.1',
    says_codes: [coded('believed', { visitor: '198.51.100.7', sender: '127.0.0.1' })],
    sender: '127.0.0.1',
    visitor: '198.51.100.7',
    believed: true,
    headers: shown,
  });
  assert.deepEqual(await requestOf({}), {
    fine: false,
    says: 'Your request came from 127.0.0.1, whose X-Forwarded-For is not trusted',
    says_codes: [coded('not_believed', { sender: '127.0.0.1' })],
    remedy: 'If 127.0.0.1 is your proxy, start the server with --trusted-proxies 127.0.0.1',
    remedy_codes: [coded('trust_sender', { sender: '127.0.0.1' })],
    sender: '127.0.0.1',
    visitor: '127.0.0.1',
    believed: false,
    headers: shown,
  });
});

test('of several accounts the one that was made first is asked for', async (t) => {
  const app = await emptyApp(t);
  const [first, second] = [await app.person('first@example.com'), await app.person('second@example.com')];
  assert.ok(first.accountId < second.accountId);
  assert.equal((await first.ask('GET', '/server')).status, 200);
  assert.equal((await second.ask('GET', '/server')).status, 403);
  assert.equal((await first.ask('GET', '/server?x=1')).status, 422);
});
