import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { finish } from '../../src/lib/steps.ts';
import { backup } from '../../src/store/file/backup.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { changeLanguage } from '../../src/store/people/users.ts';
import { DESTINATION_KINDS } from '../../src/store/sites/destinations.ts';
import { SERVICES } from '../destinations/services.ts';
import { receiver } from '../mail/receiver.ts';
import { folder, startApp } from '../support/helpers.ts';

const SLACK = { kind: 'slack', name: 'Team', settings: { url: 'https://hooks.slack.com/services/T0/B0/s3cr3t' } };
const PRIVATE = { 'channels-private': 'on' };

test('channels: a manager adds one, and its URL is never answered again', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/channels`;
  const added = await manager.ask('POST', path, SLACK);
  assert.equal(added.status, 201);
  const expected = {
    ...{ id: 1, kind: 'slack', name: 'Team', place: 'hooks.slack.com' },
    ...{ messages: ['weekly', 'monthly', 'traffic', 'silence', 'custom', 'effects'], language: 'en', paused: false },
    ...{ sent_at: null, failed_at: null, failure: null, failure_code: null, created_at: '2026-03-10T12:00:00Z' },
  };
  assert.deepEqual(added.body.data, expected);
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [expected]);
  const changed = await manager.ask('PATCH', `${path}/1`, { messages: ['goals', 'weekly', 'goals'], paused: true });
  assert.deepEqual([changed.body.data.messages, changed.body.data.paused], [['weekly', 'goals'], true]);
  assert.equal((await manager.ask('DELETE', `${path}/1`)).status, 204);
  assert.deepEqual((await manager.ask('GET', path)).body.data, []);
});

test('channels: neither a log, a backup nor the audit log has a secret, and a deleted one leaves the file', async (t) => {
  const app = await startApp(t, PRIVATE);
  const { owner, siteId, db, config } = app;
  for (const kind of DESTINATION_KINDS) {
    const settings = SERVICES[kind].settings('https://example.com/s3cr3t');
    assert.equal((await owner.ask('POST', `/sites/${siteId}/channels`, { kind, name: kind, settings })).status, 201);
  }
  const secrets = ['s3cr3t', 'syt_secret', 'AA-secret', 'AGpBdv', 'a secret of', 'bakery-7f3a'];
  const answers = JSON.stringify([
    (await owner.ask('GET', `/sites/${siteId}/channels`)).body,
    (await owner.ask('GET', '/account/log')).body,
    app.log,
  ]);
  const copy = join(folder(t), 'copy.db');
  finish(backup(config.db, copy));
  const held = readFileSync(copy, 'latin1');
  for (const secret of secrets) {
    assert.ok(!answers.includes(secret), secret);
    assert.ok(!held.includes(secret), `backup: ${secret}`);
  }
  const { db: restored, close } = openReader(copy);
  t.after(close);
  assert.equal(restored.one<{ n: number }>('SELECT count(*) AS n FROM destination')?.n, DESTINATION_KINDS.length);
  await owner.ask('DELETE', `/sites/${siteId}`);
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM destination_secret')?.n, 0);
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const file = readFileSync(config.db, 'latin1');
  for (const secret of secrets) assert.ok(!file.includes(secret), `file: ${secret}`);
});

test('channels: a wrong setting is named, with what is wrong', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/channels`;
  const faultOf = async (kind: string, settings: object) => {
    const { status, body } = await owner.ask('POST', path, { kind, name: 'x', settings });
    assert.equal(status, 422, JSON.stringify(body));
    return Object.entries<{ code: string }>(body.error.field_codes).map(([name, { code }]) => `${name} ${code}`);
  };
  const url = 'https://example.com/hook';
  const cases: [string, object, string[]][] = [
    ['slack', {}, ['settings.url required']],
    ['slack', { url }, ['settings.url other_host']],
    ['webhook', { url }, ['settings.secret required']],
    ['webhook', { url, secret: 'short' }, ['settings.secret too_short']],
    ['webhook', { url, secret: 'x'.repeat(16), token: 'x' }, ['settings.token not_known']],
    ['webhook', { url: 'https://a:b@example.com/', secret: 'x'.repeat(16) }, ['settings.url no_channel_url']],
    ['webhook', { url: 'ftp://example.com/', secret: 'x'.repeat(16) }, ['settings.url no_channel_url']],
    ['webhook', { url: 'http://169.254.169.254/', secret: 'x'.repeat(16) }, ['settings.url private_network']],
    ['mattermost', { url: 'https://192.168.1.7/hooks/x' }, ['settings.url private_network']],
    ['gotify', { url: 'http://gotify.example.com', token: 'x' }, ['settings.url https_only']],
    ['gotify', { url: 'https://gotify.example.com', token: 'x\r\nHost: evil' }, ['settings.token no_token_text']],
    ['telegram', { token: 'x', chat: '1' }, ['settings.token no_bot_token']],
    ['telegram', { token: '1:x/../y', chat: '1' }, ['settings.token no_bot_token']],
    ['telegram', { token: '1:x', chat: 'me' }, ['settings.chat no_chat']],
    ['ntfy', { topic: 'a/b' }, ['settings.topic no_topic']],
    ['matrix', { url, token: 'x', room: '#room:example.com' }, ['settings.room no_room']],
    ['sms', {}, ['kind none_of']],
  ];
  for (const [kind, settings, faults] of cases) assert.deepEqual(await faultOf(kind, settings), faults, kind);
  const { body } = await owner.ask('POST', path, { ...SLACK, messages: ['weekly', 'daily'] });
  assert.deepEqual(Object.keys(body.error.fields), ['messages.1']);
  assert.equal((await owner.ask('POST', path, { ...SLACK, messages: [] })).status, 422);
});

test('channels: a change replaces all settings, so that a stored token is not sent to another URL', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/channels`;
  const settings = { url: 'https://gotify.example.com', token: 'stored' };
  await owner.ask('POST', path, { kind: 'gotify', name: 'Phone', settings });
  const moved = await owner.ask('PATCH', `${path}/1`, { settings: { url: 'https://evil.example' } });
  assert.deepEqual([moved.status, Object.keys(moved.body.error.fields)], [422, ['settings.token']]);
  const inside = await owner.ask('PATCH', `${path}/1`, { settings: { ...settings, url: 'https://10.0.0.1' } });
  assert.deepEqual([inside.status, Object.keys(inside.body.error.fields)], [422, ['settings.url']]);
  const changed = await owner.ask('PATCH', `${path}/1`, { settings: { ...settings, url: 'https://push.example.com' } });
  assert.equal(changed.body.data.place, 'push.example.com');
});

test('channels: a site has at most ten', async (t) => {
  const { owner, siteId } = await startApp(t);
  for (let n = 0; n < 10; n++) assert.equal((await owner.ask('POST', `/sites/${siteId}/channels`, SLACK)).status, 201);
  const { status, body } = await owner.ask('POST', `/sites/${siteId}/channels`, SLACK);
  assert.deepEqual([status, body.error.message_code.code], [402, 'most_destinations']);
});

test('channels: a test says whether the message was accepted, in the language of the person that added it', async (t) => {
  const hook = await receiver(t, '');
  const { owner, db, siteId, log } = await startApp(t, PRIVATE);
  changeLanguage(db, owner.id, 'de');
  const path = `/sites/${siteId}/channels`;
  const settings = SERVICES.ntfy.settings(hook.url);
  assert.equal((await owner.ask('POST', path, { kind: 'ntfy', name: 'Phone', settings })).body.data.language, 'de');
  const delivered = await owner.ask('POST', `${path}/1/test`);
  assert.deepEqual(
    [delivered.status, delivered.body.data],
    [200, { delivered: true, failure: null, failure_code: null }],
  );
  assert.equal(SERVICES.ntfy.check(hook.received[0] ?? assert.fail()).title, 'Testnachricht zu example.com');
  hook.state.status = 403;
  const { data } = (await owner.ask('POST', `${path}/1/test`)).body;
  assert.deepEqual(data, {
    delivered: false,
    failure: 'access was denied (status 403). Check the token or the URL',
    failure_code: { code: 'it_denied', values: { status: 403 } },
  });
  const [{ failure, failed_at, sent_at }] = (await owner.ask('GET', path)).body.data;
  assert.deepEqual([failure, failed_at, sent_at], [data.failure, '2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z']);
  assert.ok(!log.join('').includes('bakery-7f3a'));
});

test('channels: one person can send ten tests in five minutes', async (t) => {
  const hook = await receiver(t, '');
  const { owner, siteId, clock } = await startApp(t, PRIVATE);
  const path = `/sites/${siteId}/channels`;
  await owner.ask('POST', path, { kind: 'slack', name: 'Team', settings: SERVICES.slack.settings(hook.url) });
  for (let n = 0; n < 10; n++) assert.equal((await owner.ask('POST', `${path}/1/test`)).status, 200);
  const { status, headers } = await owner.ask('POST', `${path}/1/test`);
  assert.deepEqual([status, headers.get('retry-after')], [429, '300']);
  assert.equal(hook.received.length, 10);
  clock.pass(300);
  assert.equal((await owner.ask('POST', `${path}/1/test`)).status, 200);
});

test('channels: after private networks are switched off, a private URL gets no more messages', async (t) => {
  const hook = await receiver(t, '');
  const app = await startApp(t);
  const settings = JSON.stringify(SERVICES.slack.settings(hook.url));
  await app.owner.ask('POST', `/sites/${app.siteId}/channels`, SLACK);
  app.db.run('UPDATE destination_secret SET settings = ?', settings);
  const { data } = (await app.owner.ask('POST', `/sites/${app.siteId}/channels/1/test`)).body;
  assert.deepEqual([data.delivered, data.failure_code.code], [false, 'private_network']);
  assert.equal(hook.received.length, 0);
});

test('channels: one that came from a backup says that its URL is missing', async (t) => {
  const { owner, siteId, db } = await startApp(t);
  const path = `/sites/${siteId}/channels`;
  await owner.ask('POST', path, SLACK);
  db.run('DELETE FROM destination_secret');
  assert.equal((await owner.ask('GET', path)).body.data[0].failure_code.code, 'settings_missing');
  const { data } = (await owner.ask('POST', `${path}/1/test`)).body;
  assert.deepEqual([data.delivered, data.failure_code.code], [false, 'settings_missing']);
  await owner.ask('PATCH', `${path}/1`, { settings: SLACK.settings });
  assert.equal((await owner.ask('GET', path)).body.data[0].failure, null);
});
