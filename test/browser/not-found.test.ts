import { test } from 'node:test';
import { serving } from './browser.ts';

test('an address that is none, and the settings of a site that is not there, are pages that say so', async (t) => {
  const { signIn, owner } = await serving(t);
  const page = await signIn(owner);
  for (const path of ['/sites/%E0%A4%A', '/sites/example.com/settings/nowhere', '/account/nowhere']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
  }
  await page.goto('/sites/unknown.example/settings/general');
  await page.getByText('There is no site unknown.example').waitFor();
  await page.getByRole('link', { name: 'Goals' }).waitFor({ state: 'detached' });
});
