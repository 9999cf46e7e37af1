import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { until } from '../support/program.ts';
import { serving } from './browser.ts';

test('refreshing looks again, and keeps what was there and the focus until that is done', async (t) => {
  const { signIn, owner, db, origin } = await serving(t);
  const page = await signIn(owner);
  const held: Route[] = [];
  await page.route('**/api/v1/server', (route) => {
    held.push(route);
  });
  const letGo = async () => {
    await until('it was asked for', () => held.length > 0);
    await held.pop()?.continue();
  };
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'Server', exact: true }).click();
  await page.waitForURL(`${origin}/server`);
  await page.locator('.server-findings .skeleton').waitFor();
  await letGo();
  await page.getByRole('heading', { name: 'Server: nothing needs attention' }).waitFor();
  assert.deepEqual(await page.locator('.server-request dd').allTextContents(), [
    '127.0.0.1',
    '127.0.0.1',
    'no',
    'none received',
  ]);
  assert.equal(await page.locator('.server-remedy').count(), 0);
  // Names in the API begin with a small letter. A finding without a text would be shown with such a name.
  const names = await page.locator('.server-finding h3').allTextContents();
  assert.deepEqual(
    names.filter((name) => !/^[A-Z]/.test(name)),
    [],
  );

  const findings = await page.locator('.server-findings li').count();
  noteUpkeep(db, 'restore', { at: 0, fine: false, words: 'it is damaged' });
  await page.getByRole('button', { name: 'Refresh' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Checking …' }).waitFor();
  assert.equal(await page.locator('.server-findings li').count(), findings);
  await letGo();
  await page.getByRole('heading', { name: 'Server: 1 thing needs attention' }).waitFor();
  await page.getByRole('status').getByText('Server: 1 thing needs attention').waitFor();
  assert.match(
    (await page.locator('.server-findings li').first().textContent()) ?? '',
    /it is damaged.*How to fix it:Make another/,
  );
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Refresh');
});

test('nobody else finds the page about the server', async (t) => {
  const { signIn, manager } = await serving(t);
  const page = await signIn(manager, '/account/plan');
  await page.getByRole('link', { name: 'Plan' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Server' }).count(), 0);
  await page.goto('/server');
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
});
