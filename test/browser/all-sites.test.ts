import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview } from '../collect/stage.ts';
import { searchIs, serving } from './browser.ts';

const DAY = 86_400;

test('all sites are shown together, filtered together, and lead to each', async (t) => {
  const { db, owner, site, siteId, signIn, origin, clock } = await serving(t);
  const second = site(owner, 'second.example');
  const day = Math.floor(clock.now() / 1000 / DAY);
  const from = (siteId: number, source: string, count: number) =>
    Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, second: 1, visitor, source }));
  await append(db, [...from(siteId, 'x.org', 3), ...from(second, 'x.org', 2)]);
  await append(
    db,
    from(second, '', 4).map((hit) => ({ ...hit, visitor: hit.visitor + 100 })),
  );
  const page = await signIn(owner);
  const sum = page.locator('.sum-card');
  await sum.getByText('9 visitors').waitFor();
  await sum.getByRole('img', { name: /Visitors today so far: 9$/ }).waitFor();
  await page.getByRole('button', { name: 'By change' }).click();
  await page.waitForURL(`${origin}/?sort=change`);
  await page.getByRole('link', { name: 'All sites combined' }).click();
  await page.waitForURL(`${origin}/all-sites`);
  await page.getByRole('button', { name: /^Visitors 9/ }).waitFor();
  const row = (name: string) => page.locator('.rows-line', { hasText: name });
  assert.match((await row('second.example').textContent()) ?? '', /6 visitors/);
  await page.getByRole('button', { name: 'x.org' }).click();
  await page.getByRole('button', { name: /^Visitors 5/ }).waitFor();
  await row('second.example').getByText('2 visitors').waitFor();
  await searchIs(page, '?source=x.org');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Filter by').waitFor();
  const names = await page.getByLabel('Filter by').locator('option').allTextContents();
  assert.ok(names.includes('Country') && !names.includes('Page') && !names.includes('Goal'), names.join());
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'second.example' }).click();
  await page.waitForURL(`${origin}/sites/second.example?source=x.org`);
  await page.getByRole('button', { name: /^Visitors 2/ }).waitFor();
});
