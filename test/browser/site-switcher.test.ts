import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serving } from './browser.ts';

test('the name of a site opens a list of the others, which is searched and used by keys', async (t) => {
  const { signIn, owner, share, open, siteId } = await serving(t);
  for (const domain of ['blog.example', 'shop.example']) await owner.ask('POST', '/sites', { domain });
  const page = await signIn(owner, '/sites/example.com?range=7d&country=DE');
  await page.getByRole('button', { name: 'Switch to another site' }).click();
  const list = page.getByRole('dialog', { name: 'Sites' });
  await list.getByRole('link', { name: 'shop.example' }).waitFor();
  assert.equal(await list.getByRole('link', { name: 'example.com' }).getAttribute('aria-current'), 'page');
  await page.keyboard.type('op.ex');
  await list.getByRole('link', { name: 'blog.example' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sites\/shop\.example\?range=7d$/);

  await page.getByRole('button', { name: 'Switch to another site' }).press('Enter');
  await list.getByRole('link', { name: 'blog.example' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sites\/blog\.example\?range=7d$/);

  const shared = await open();
  await shared.goto(`/share/${await share(owner, siteId)}`);
  await shared.getByRole('heading', { name: 'example.com' }).waitFor();
  assert.equal(await shared.getByRole('button', { name: 'Switch to another site' }).count(), 0);
});
