import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { look, serving } from './browser.ts';

test('flags and logos come from the server itself, and where there is none the letters stay', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 }, { referrer: 'https://www.google.com/' });
  await look(stage, { '/a': 1 }, { referrer: 'https://nobody.example/' });
  await append(stage.db, [pageview({ siteId: stage.siteId, day: TODAY, visitor: 1, country: 'DE' })]);
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  const emblem = (name: string) =>
    page.locator('.rows-name', { has: page.getByRole('button', { name, exact: true }) }).locator('.emblem');
  await emblem('google.com').locator('svg path').waitFor();
  const flag = emblem('Germany');
  await flag.scrollIntoViewIfNeeded();
  await page.waitForFunction("document.querySelector('img.emblem')?.naturalWidth > 0");
  assert.equal(await emblem('nobody.example').getAttribute('data-letters'), 'N');
});
