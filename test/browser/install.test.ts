import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serving } from './browser.ts';

test('install: Chromium finds nothing that keeps people from installing the dashboard', async (t) => {
  const { owner, signIn } = await serving(t);
  const page = await signIn(owner, '/sites/example.com');
  const cdp = await page.context().newCDPSession(page);
  const { errors, manifest } = await cdp.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.equal(manifest?.name, 'daybook');
  assert.deepEqual(await cdp.send('Page.getInstallabilityErrors'), { installabilityErrors: [] });
});
