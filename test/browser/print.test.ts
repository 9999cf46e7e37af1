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
  const [plot, lines, card] = [box('.plot-area'), box('.plot-now'), box('.summary')];
  const labels = [...document.querySelectorAll('.plot-places > .is-middle > span')];
  return {
    fits: [plot, lines].every(({ left, right }) => left >= card.left && right <= card.right),
    fills: lines.width > card.width * 0.85,
    labels: labels.length > 1 && labels.every((one) => one.getClientRects().length > 0),
    compared: isSeen('.comparison-picker > button'),
    settings: isSeen('.site-header-settings'),
    sign: isSeen('.suggested-sign'),
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
  await page.locator('.suggested-sign').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1_000 });
  const expected = {
    fits: true,
    fills: true,
    labels: true,
    compared: true,
    settings: false,
    sign: false,
    colours: 'exact',
  };
  assert.deepEqual(await page.evaluate(ON_PAPER), expected);
});

/** What A4 has for a page, in pixels: 210 by 297 mm without the margins of media.css. */
const A4 = { width: 703, height: 1031 };

/** The ends of the cards that are whole on the first page, and cards that a page would cut. */
const CARDS = `(() => {
  const boxes = [...document.querySelectorAll('.card')].map((card) => ({ card, box: card.getBoundingClientRect() }));
  return {
    whole: boxes.filter(({ box }) => box.bottom <= ${A4.height}).map(({ card, box }) => [card.innerText.split('\\n')[0], Math.round(box.bottom)]),
    cut: boxes.filter(({ card, box }) => getComputedStyle(card).breakInside !== 'avoid' || box.height > ${A4.height}).length,
  };
})()`;

test('paper: the first page of A4 holds the chart and the first two panels, and no panel is cut', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/page${n}`, 1])));
  const page = await signIn(owner, '/sites/example.com');
  await until('all panels are there', async () => (await skeletons(page)) === 0);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(A4);
  const { whole, cut } = (await page.evaluate(CARDS)) as { whole: [string, number][]; cut: number };
  assert.deepEqual(
    whole.map(([name]) => name),
    ['Visitors', 'Pages', 'Sources'],
  );
  assert.ok(Math.max(...whole.map(([, bottom]) => bottom)) > A4.height * 0.7, JSON.stringify(whole));
  assert.equal(cut, 0);
});

/** The words of the figures that are in two lines. */
const CUT_WORDS = `(() => {
  const texts = [...document.querySelectorAll('.figure-name, .figure-value')].flatMap((one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    return nodes;
  });
  return texts.flatMap((node) => [...node.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : [];
  }));
})()`;

test('paper: no word of seven figures is cut in two, in four languages', async (t) => {
  const { owner, signIn, db, siteId } = await serving(t);
  const at = (second: number, more: object = {}) =>
    pageview({ siteId, day: TODAY - 1, visitor: 1, page: '/', second: 36_000 + second, ...more });
  await append(db, [at(0), at(717, { event: 'Order', revenue: 'EUR 4732.00' })]);
  await owner.ask('PATCH', '/sites/example.com', { currency: 'EUR' });
  const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'event', value: 'Order' });
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
  for (const locale of ['en-GB', 'de-DE', 'fr-FR', 'es-ES']) {
    const page = await signIn(owner, '/sites/example.com', { locale });
    await page.locator('.figure-goal').waitFor();
    assert.equal(await page.locator('.figure').count(), 7);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(A4);
    assert.deepEqual(await page.evaluate(CUT_WORDS), [], locale);
  }
});

test('paper: Explore has no heading of buttons that are not printed', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 });
  const page = await stage.signIn(stage.owner, '/sites/example.com?explore=1&by=country,week');
  const legends = page.locator('legend.field-label').filter({ visible: true });
  await page.locator('.explore-table td').first().waitFor();
  assert.ok((await legends.count()) > 0);
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(await legends.allInnerTexts(), []);
});
