import { test } from 'node:test';
import { append, pageview } from '../collect/stage.ts';
import { searchIs, serving } from './browser.ts';

test('who is there now opens what they see, which goes on by itself, also behind a share link', async (t) => {
  const { db, owner, siteId, signIn, share, open } = await serving(t);
  const look = (visitor: number, page: string) =>
    append(db, [pageview({ siteId, second: 43_100, visitor, page, source: 'x.org', country: 'DE' })]);
  await look(1, '/a');
  await look(2, '/a');
  const page = await signIn(owner, '/sites/example.com');
  await page.getByRole('button', { name: '2 visitors now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Current visitors on example.com' });
  await dialog.getByRole('img', { name: /^Visitors in the last 30 minutes, most at .*: 2$/ }).waitFor();
  for (const text of ['/a', 'x.org', 'Germany', 'No data yet']) {
    await dialog.getByText(text).first().waitFor();
  }
  await look(3, '/b');
  await page.clock.runFor(6_000);
  await dialog.getByText('/b', { exact: true }).waitFor();
  await dialog.getByText('3 visitors', { exact: true }).first().waitFor();
  await searchIs(page, /\blive=1\b/);
  // A row sets its filter, and the dialog stays.
  await dialog.getByRole('button', { name: '/b', exact: true }).click();
  await dialog.getByText('1 visitor', { exact: true }).first().waitFor();
  await searchIs(page, /^\?live=1&page=\/b$/);
  await dialog.getByRole('button', { name: '/b', exact: true, pressed: true }).click();
  await dialog.getByText('3 visitors', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await searchIs(page, '');

  const slug = await share(owner, siteId);
  const visitor = await open();
  await visitor.goto(`/share/${slug}?live=1`);
  await visitor.getByRole('dialog').getByText('Germany').waitFor();
});
