import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { drawn, serving } from './browser.ts';

/** The texts of two figures that lie over each other, and texts that reach out of their figure. */
const COLLISIONS = `(() => {
  const texts = [...document.querySelectorAll('.figure-list > li')].flatMap((figure) => {
    const { left, right } = figure.getBoundingClientRect();
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.parentElement.closest('.unseen, .figure-goal')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects())
        found.push({ figure, text: node.data, box, isOut: box.left < left - 1 || box.right > right + 1 });
    }
    return found;
  });
  const meet = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return texts.flatMap(({ figure, text, box, isOut }, n) => [
    ...(isOut ? [text + ' reaches out'] : []),
    ...texts.slice(n + 1).filter((other) => other.figure !== figure && meet(box, other.box)).map((other) => text + ' on ' + other.text),
  ]);
})()`;

/** How far the values of the figures of one row are from one line, and how far the last figure is from the end of its row. */
const UNEVEN = `(() => {
  const box = (one) => one.getBoundingClientRect();
  const tops = [...document.querySelectorAll('.figure-value')].map((value) => box(value).top);
  const list = box(document.querySelector('.figure-list'));
  const last = box(document.querySelector('.figure-list > li:last-child'));
  return { values: Math.max(...tops) - Math.min(...tops), end: list.right - last.right };
})()`;

test('figures: no text lies on another one on a phone, in four languages', async (t) => {
  const { owner, signIn, db, siteId } = await serving(t);
  const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: `/${'thanks-'.repeat(20)}` });
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
  const at = (second: number) => pageview({ siteId, day: TODAY - 1, visitor: 1, page: '/', second: 36_000 + second });
  await append(db, [at(0), at(1_798)]);
  for (const locale of ['en-GB', 'de-DE', 'fr-FR', 'es-ES']) {
    const page = await signIn(owner, '/sites/example.com', { locale, viewport: { width: 390, height: 844 } });
    await page.locator('.figure-goal').waitFor();
    await drawn(page);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await page.evaluate(COLLISIONS), [], `${locale} at ${width}`);
    }
  }
});

test('figures: their values are on one line, and the last figure ends its row', async (t) => {
  const { owner, signIn, db, siteId } = await serving(t);
  await append(db, [pageview({ siteId, day: TODAY - 1, visitor: 1, page: '/' })]);
  const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
  await owner.ask('POST', '/sites', { domain: 'other.example' });
  const page = await signIn(owner, '/sites/example.com?chart=table', { viewport: { width: 1280, height: 900 } });
  await page.locator('.figure-goal').waitFor();
  assert.deepEqual(await page.evaluate(UNEVEN), { values: 0, end: 8 });
  await page.goto('/all-sites');
  await page.locator('.figure-trend').last().waitFor();
  for (const width of [1280, 800, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(((await page.evaluate(UNEVEN)) as { end: number }).end, 8, `${width}`);
  }
});

test('figures: the explanation of each one is in the window', async (t) => {
  const { owner, signIn } = await serving(t);
  const page = await signIn(owner, '/all-sites', { viewport: { width: 1280, height: 900 } });
  for (const width of [1280, 800, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    for (const help of await page.locator('.figure-help-button').all()) {
      await help.click();
      const box = await page.locator('.figure-help .flyout-content').boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${JSON.stringify(box)} in ${width}`);
      await page.keyboard.press('Escape');
    }
  }
});
