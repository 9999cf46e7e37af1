import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { makeWebhook } from '../../src/destinations/webhook.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { folder, startApp } from '../support/helpers.ts';

const SECRET = 'a secret of the webhook';

test('a webhook at the host of Slack needs no secret, and is written like a channel of Slack', () => {
  const slack = 'https://hooks.slack.com/services/T/B/x';
  assert.deepEqual(makeWebhook(readConfig({ 'webhook-url': slack }, {})), { kind: 'slack', settings: { url: slack } });
});

test('a webhook needs a secret that can be read and is long enough, and is refused at the start without one', (t) => {
  const url = { 'webhook-url': 'https://example.com/hook' };
  const refused = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof Refusal);
      assert.equal(error.exitCode, 2);
      return error.message;
    }
    assert.fail('taken');
  };
  assert.match(
    refused(() => readConfig(url, {})),
    /^--webhook-url needs --webhook-secret-file or DAYBOOK_WEBHOOK_SECRET/,
  );
  for (const wrong of ['example.com', 'ftp://example.com/', 'https://a:geheim@example.com/', 'hook'])
    assert.ok(
      !refused(() => readConfig({ 'webhook-url': wrong }, { DAYBOOK_WEBHOOK_SECRET: SECRET })).includes('geheim'),
    );
  const short = refused(() => makeWebhook(readConfig(url, { DAYBOOK_WEBHOOK_SECRET: 'geheim' })));
  assert.match(short, /^DAYBOOK_WEBHOOK_SECRET must have at least 16 characters/);
  assert.ok(!short.includes('geheim'));
  const missing = join(folder(t), 'missing');
  const unread = refused(() => makeWebhook(readConfig({ ...url, 'webhook-secret-file': missing }, {})));
  assert.match(unread, /^--webhook-secret-file: ENOENT/);
});

test('a server says at its start that everybody can read the secret of the webhook', async (t) => {
  const file = join(folder(t), 'secret');
  writeFileSync(file, SECRET);
  const settings = { 'webhook-url': 'https://example.com/hook', 'webhook-secret-file': file };
  const warnings = async (mode: number) => {
    chmodSync(file, mode);
    const { log } = await startApp(t, settings);
    return log.filter((line) => line.includes('everyone on this machine can read a secret'));
  };
  assert.deepEqual(await warnings(0o600), []);
  const [warning = ''] = await warnings(0o644);
  assert.equal(JSON.parse(warning).remedy, `chmod 600 ${file}`);
});
