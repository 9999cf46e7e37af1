import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serving } from './browser.ts';

/** As over plain http on another machine. */
const NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })";
const NO_COPYING = 'Document.prototype.execCommand = () => false';

test('without a clipboard the snippet is selected, and the page says how to copy it', async (t) => {
  const { signIn, owner } = await serving(t);
  const page = await signIn(owner);
  await page.addInitScript(`${NO_CLIPBOARD}; ${NO_COPYING}`);
  await page.goto('/sites/example.com/settings/general');
  await page.getByRole('button', { name: 'Copy the snippet' }).click();
  await page.getByRole('status').getByText('The text is selected. Press Ctrl+C').waitFor();
  const selected = await page.evaluate('getSelection().toString()');
  assert.match(String(selected), /^<script defer src=.*<\/script>$/);
});

test('the focus is on the content of a page that had to be fetched first', async (t) => {
  const { signIn, owner } = await serving(t);
  const page = await signIn(owner);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  await page.waitForFunction("document.activeElement.id === 'main'");
  assert.equal(await page.evaluate("document.activeElement.contains(document.querySelector('h1'))"), true);
});
