import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../program.ts';
import { look, serving } from './browser.ts';

test('a page that was not scrolled is printed with all of its panels', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3, '/prices': 2 });
  const page = await signIn(owner);
  const skeletons = () => page.locator('.skeleton').count();

  await page.goto('/sites/example.com');
  await page.getByRole('button', { name: '/prices' }).waitFor();
  assert.ok((await skeletons()) > 0, 'what is far below is not loaded');
  await page.emulateMedia({ media: 'print' });
  await until('all panels are there', async () => (await skeletons()) === 0);
  await page.emulateMedia({ media: null });

  await page.goto('/sites/example.com');
  await page.getByRole('button', { name: '/prices' }).waitFor();
  await page.evaluate("window.print = () => { printed = document.querySelectorAll('.skeleton').length; }");
  assert.ok((await skeletons()) > 0);
  await page.keyboard.press('Control+p');
  await until('it is printed', async () => (await page.evaluate("typeof printed === 'number'")) === true);
  assert.equal(await page.evaluate('printed'), 0, 'the keys wait until all is there');
});
