import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { assertFits, drawn, look, searchIs, serving } from './browser.ts';

test('nothing has to be scrolled sideways at 320, 768 and 1920 pixels', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(
    stage,
    { [`/${'long-'.repeat(60)}`]: 2, '/': 3 },
    { referrer: `https://${'sub.'.repeat(20)}example.org/` },
  );
  const page = await signIn(owner);
  const places = ['/', '/sites/example.com', '/sites/example.com/settings/funnels', '/account/team', '/account/tokens'];
  for (const place of places) {
    await page.goto(place);
    await page.locator('main h1').waitFor();
    await drawn(page);
    await assertFits(page, [320, 768, 1920]);
  }
});

test('light and dark follow the system, and the switch wins over it', async (t) => {
  const { signIn, owner } = await serving(t);
  const page = await signIn(owner, '/', { colorScheme: 'dark' });
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>;
  const isDark = async () => Number(/\d+/.exec(await paper())?.[0]) < 60;
  assert.equal(await isDark(), true);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await isDark(), false);
  const button = page.locator('.frame-header button').first();
  for (let n = 0; n < 3 && !(await isDark()); n++) await button.click();
  assert.equal(await isDark(), true, 'chosen by hand');
  await page.reload();
  await page.locator('main h1').waitFor();
  assert.equal(await isDark(), true, 'and kept');
});

test('a chart that was dark goes onto paper in the colours of the light', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  const page = await signIn(owner, '/sites/example.com', { colorScheme: 'dark' });
  await page.locator('.plot-area').waitFor();
  const colour = () => page.evaluate("getComputedStyle(document.querySelector('.plot-now')).stroke");
  const [LIGHT, DARK] = ['rgb(20, 97, 79)', 'rgb(111, 199, 174)'];
  assert.equal(await colour(), DARK);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await colour(), LIGHT);
  await page.emulateMedia({ media: null });
  assert.equal(await colour(), DARK);
});

test('everything of a report can be reached and changed with keys alone', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3, '/prices': 2 });
  const page = await signIn(owner, '/sites/example.com');
  await page.getByRole('button', { name: '/prices' }).waitFor();
  for (const [key, range] of [
    ['w', '?range=7d'],
    ['t', '?range=today'],
    ['y', '?range=12m'],
    ['m', ''],
  ] as const) {
    await page.keyboard.press(key);
    await searchIs(page, range);
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  /** Goes on by the tabulator key until something has the focus. */
  const tabTo = async (selector: string): Promise<void> => {
    for (let n = 0; n < 80; n++) {
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${selector} is not reached`);
  };
  await tabTo('[role=slider]');
  const said = () => page.getByRole('slider').getAttribute('aria-valuetext');
  const last = await said();
  await page.keyboard.press('ArrowLeft');
  await until('the chart moves', async () => (await said()) !== last);
  await tabTo('[role=tab]');
  await page.keyboard.press('ArrowRight');
  await searchIs(page, '?pages=entry_pages');
  await page.getByText('Entry page').first().waitFor();
  await tabTo('.rows button');
  await page.keyboard.press('Enter');
  await searchIs(page, /entry=/);
  await page.keyboard.press('Escape');
  await searchIs(page, '?pages=entry_pages');
});
