import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './axe.ts';
import { serving } from './browser.ts';

test('changes: the owner sees who changed what, and how', async (t) => {
  const stage = await serving(t);
  await stage.manager.ask('POST', '/sites/example.com/goals', { type: 'event', value: 'signup' });
  await stage.owner.ask('PATCH', '/sites/example.com', { public_live: true });
  const page = await stage.signIn(stage.owner, '/account/changes');
  const items = page.locator('main .item-list li');
  await items.first().waitFor();
  const [latest, before] = await items.allInnerTexts();
  assert.match(latest ?? '', /Changed: site example\.com public_live\s+.+owner@example\.com · with the token test/);
  assert.match(before ?? '', /Added: goal signup example\.com\s+.+manager@example\.com/);
  assert.deepEqual(await faults(page), []);
});

test('changes: an account without any says what will appear', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.stranger, '/account/changes');
  await page.getByText('When somebody changes a setting, it appears here.').waitFor();
});
