import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import type { Server } from '../../src/api/server.ts';
import { noteUpkeep } from '../../src/store/upkeep.ts';
import { until } from '../program.ts';
import { serving } from './browser.ts';

const REMEDY = 'if 127.0.0.1 is your proxy, start the server with --trusted-proxies 127.0.0.1';

test('the page about the server says what the API says, first what needs attention and what to do', async (t) => {
  const { signIn, owner, db, origin } = await serving(t);
  noteUpkeep(db, 'check', { at: 0, fine: false, words: 'a day differs' });
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  const page = await signIn(owner, { extraHTTPHeaders: headers });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'Server', exact: true }).click();
  await page.waitForURL(`${origin}/server`);
  await page.getByRole('heading', { level: 2, name: 'Server: 2 things need attention' }).waitFor();

  const sent = { ...headers, Authorization: `Bearer ${owner.token}` };
  const answer = await fetch(`${origin}/api/v1/server`, { headers: sent });
  const { findings, request } = ((await answer.json()) as { data: Server }).data;
  assert.equal(request.remedy, REMEDY);
  const all = [...findings, request];
  const inOrder = [...all.filter(({ fine }) => !fine), ...all.filter(({ fine }) => fine)];
  const lines = page.locator('.server-findings li');
  const known = await lines.locator('p:not(.server-remedy)').allTextContents();
  const steady = (words: string) => words.replace(/^[\d.]+ GB/, '');
  assert.deepEqual(
    known.map(steady),
    inOrder.map(({ says }) => steady(says)),
  );
  assert.deepEqual(
    await lines.locator('> span').allTextContents(),
    inOrder.map(({ fine }) => (fine ? 'OK' : 'Needs attention')),
  );
  assert.deepEqual(
    await lines.locator('.server-remedy').allTextContents(),
    inOrder.flatMap(({ remedy }) => (remedy ? `What to do: ${remedy}` : [])),
  );
  assert.deepEqual(await page.locator('.server-request dd').allTextContents(), [
    '127.0.0.1',
    '127.0.0.1',
    'no',
    'X-Forwarded-For: 198.51.100.7',
  ]);
});

test('refreshing looks again, and keeps what was there and the focus until that is done', async (t) => {
  const { signIn, owner, db } = await serving(t);
  const page = await signIn(owner);
  const held: Route[] = [];
  await page.route('**/api/v1/server', (route) => {
    held.push(route);
  });
  const letGo = async () => {
    await until('it was asked for', () => held.length > 0);
    await held.pop()?.continue();
  };
  await page.goto('/server');
  await page.locator('.server-findings .skeleton').waitFor();
  await letGo();
  await page.getByRole('heading', { name: 'Server: nothing needs attention' }).waitFor();
  assert.equal(await page.locator('.server-remedy').count(), 0);

  noteUpkeep(db, 'drill', { at: 0, fine: false, words: 'it is damaged' });
  await page.getByRole('button', { name: 'Refresh' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Looking …' }).waitFor();
  assert.equal(await page.locator('.server-findings li').count(), 10);
  await letGo();
  await page.getByRole('heading', { name: 'Server: 1 thing needs attention' }).waitFor();
  await page.getByRole('status').getByText('Server: 1 thing needs attention').waitFor();
  assert.match((await page.locator('.server-findings li').first().textContent()) ?? '', /it is damaged.*What to do: /);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Refresh');
});

test('nobody else finds the page about the server', async (t) => {
  const { signIn, manager } = await serving(t);
  const page = await signIn(manager);
  await page.goto('/account/plan');
  await page.getByRole('link', { name: 'Password' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Server' }).count(), 0);
  await page.goto('/server');
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
});

test('where no mails are sent the switches that promise them say so', async (t) => {
  const words = 'This server has no mail server, so nothing is sent. Whoever runs it can set --smtp-url.';
  for (const [settings, count] of [
    [{}, 1],
    [{ 'smtp-url': 'smtp://127.0.0.1:9', 'mail-from': 'daybook@example.com' }, 0],
  ] as const) {
    const { signIn, owner } = await serving(t, settings);
    const page = await signIn(owner);
    await page.goto('/sites/example.com/settings/general');
    const block = page.getByRole('region', { name: 'Reports and alerts' });
    await block.getByRole('switch', { name: 'Weekly report' }).waitFor();
    assert.equal(await block.getByRole('switch').count(), 3);
    assert.equal(await block.getByText(words).count(), count);
  }
});
