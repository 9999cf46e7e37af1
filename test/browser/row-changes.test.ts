import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { serving } from './browser.ts';

test('each row says how it changed since the period that is compared, in panels and in details', async (t) => {
  const { signIn, owner, db, siteId } = await serving(t);
  let visitor = 0;
  const visits = (daysAgo: number, source: string, count: number) =>
    Array.from({ length: count }, () => pageview({ siteId, day: TODAY - daysAgo, visitor: ++visitor, source }));
  // Today counts 5 more, but it is not over, so it is in no change.
  await append(db, [
    ...visits(0, 'x.org', 5),
    ...[...visits(3, 'x.org', 6), ...visits(3, 'y.org', 2), ...visits(3, 'z.org', 1)],
    ...[...visits(10, 'x.org', 4), ...visits(12, 'y.org', 4)],
  ]);
  const page = await signIn(owner, '/sites/example.com?range=7d');
  const line = (name: string) => page.locator('.rows-line', { hasText: name }).locator('.rows-trend');
  await line('x.org').getByText('↑ 50.0%').waitFor();
  await line('y.org').getByText('↓ 50.0%').waitFor();
  await line('z.org').getByText('new', { exact: true }).waitFor();
  assert.match((await line('x.org').getAttribute('title')) ?? '', /^Up 50\.0% from 4 \(.*\)\.$/);

  await page.getByRole('button', { name: 'Details of Sources: Referrer' }).click();
  const row = page.getByRole('dialog').getByRole('row').filter({ hasText: 'x.org' });
  await row.getByText('↑ 50.0%').waitFor();

  await page.goto('/sites/example.com?range=7d&compare=off');
  await page.locator('.rows-line', { hasText: 'z.org' }).waitFor();
  assert.equal(await page.locator('.rows-trend').count(), 0);
});
