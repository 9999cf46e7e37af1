import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { look, serving } from './browser.ts';

const skeletons = (page: Page) => page.locator('.skeleton').count();

test('a page that was not scrolled is printed with all of its panels', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3, '/prices': 2 });
  const page = await signIn(owner);
  // Nothing is loaded because time has passed.
  await page.addInitScript('window.setInterval = () => 0;');

  await page.goto('/sites/example.com');
  await page.getByRole('button', { name: '/prices' }).waitFor();
  assert.ok((await skeletons(page)) > 0, 'what is far below is not loaded');
  await page.emulateMedia({ media: 'print' });
  await until('all panels are there', async () => (await skeletons(page)) === 0);
  await page.emulateMedia({ media: null });

  await page.goto('/sites/example.com');
  await page.getByRole('button', { name: '/prices' }).waitFor();
  await page.evaluate("window.print = () => { printed = document.querySelectorAll('.skeleton').length; }");
  assert.ok((await skeletons(page)) > 0);
  await page.keyboard.press('Control+p');
  await until('it is printed', async () => (await page.evaluate("typeof printed === 'number'")) === true);
  assert.equal(await page.evaluate('printed'), 0, 'the keys wait until all is there');
});

test('what nobody has scrolled to comes after all else, so that the menu of the browser prints it too', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  const page = await signIn(owner, '/sites/example.com');
  await until('all panels are there', async () => (await skeletons(page)) === 0);
  assert.equal(await page.evaluate('scrollY'), 0);
});

const ON_PAPER = `(() => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const isSeen = (selector) => (box(selector)?.width ?? 0) > 0;
  const [canvas, card] = [box('.plot-area canvas'), box('.summary')];
  return {
    drawn: document.querySelector('.plot-area canvas').width,
    fits: canvas.left >= card.left && canvas.right <= card.right + 1,
    fills: canvas.width > card.width * 0.95,
    compared: isSeen('.comparison-picker > button'),
    settings: isSeen('.site-header-settings'),
    mark: isSeen('.suggested-mark'),
    colours: getComputedStyle(document.querySelector('.panel-bar')).printColorAdjust,
  };
})()`;

test('paper has the whole chart, what it is compared with, and the bars, and nothing to press', async (t) => {
  const { signIn, manager, db, siteId } = await serving(t);
  let visitor = 0;
  const visits = (count: number, day: number, country: string) =>
    Array.from({ length: count }, (_, i) =>
      pageview({ siteId, day, country, visitor: ++visitor, page: '/', second: 36_000 + i * 60 }),
    );
  const usual = Array.from({ length: 43 }, (_, back) => visits(30, TODAY - back, back % 2 ? 'DE' : 'FR'));
  await append(db, [...usual.flat(), ...visits(100, TODAY - 3, 'XX')]);
  const page = await signIn(manager, '/sites/example.com', { viewport: { width: 1440, height: 900 } });
  await page.locator('.suggested-mark').waitFor();
  const drawnWidth = () => page.evaluate("document.querySelector('.plot-area canvas').width") as Promise<number>;
  const before = await drawnWidth();
  assert.ok(before > 1_000);

  // As the menu of the browser does it: the page hears of it, is laid out for the paper, and hears that it is over.
  await page.evaluate(
    "addEventListener('beforeprint', () => queueMicrotask(() => queueMicrotask(() => { heard = document.querySelector('.plot-area canvas').width; })))",
  );
  await page.pdf({ format: 'A4' });
  assert.equal(await page.evaluate('heard'), 700);
  await until('it is as wide as before', async () => (await drawnWidth()) === before);

  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1_000 });
  const expected = { fits: true, fills: true, compared: true, settings: false, mark: false, colours: 'exact' };
  await until('the chart fits', async () => ((await page.evaluate(ON_PAPER)) as typeof expected).fits);
  const { drawn: _, ...paper } = (await page.evaluate(ON_PAPER)) as typeof expected & { drawn: number };
  assert.deepEqual(paper, expected);
});
