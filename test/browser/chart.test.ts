import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../support/program.ts';
import { look, type Stage, serving } from './browser.ts';

const signedIn = async (stage: Stage, width: number): Promise<Page> => {
  await look(stage, { '/': 3, '/prices': 2 });
  return await stage.signIn(stage.owner, '/', { viewport: { width, height: 900 } });
};

/** The chart and the figures are those of the address. */
const settled = (page: Page): Promise<void> =>
  until('nothing is on its way', async () => {
    await page.locator('.plot canvas').waitFor();
    return (await page.locator('[aria-busy="true"]').count()) === 0;
  });

const SHIFTED = `(() => {
  window.shifted = [];
  const ours = ({ node }) => node?.parentElement?.closest('.site-header, .summary');
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const [source] = sources.filter(ours);
      if (source) shifted.push(value + ' ' + (source.node.outerHTML ?? source.node.textContent));
    }
  }).observe({ type: 'layout-shift' });
})()`;

for (const width of [390, 1280]) {
  test(`nothing above the panels moves when the range changes, at ${width} pixels`, async (t) => {
    const page = await signedIn(await serving(t), width);
    await page.goto('/sites/example.com');
    await settled(page);
    const top = () => page.evaluate('document.querySelector("section.panel").getBoundingClientRect().top');
    const before = await top();
    await page.evaluate(SHIFTED);
    for (const key of ['w', 'y', 't', 'ArrowLeft', 'm']) {
      await page.keyboard.press(key);
      await settled(page);
      assert.equal(await top(), before, key);
    }
    // What the observer has not been told yet, it is told before the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.deepEqual(await page.evaluate('shifted'), []);
  });
}

test('the tooltip of every point is whole within the card, however narrow the window', async (t) => {
  const stage = await serving(t);
  const text = 'A very long note about a release that changed everything there was to change on all of the pages';
  for (let n = 0; n < 4; n++) await stage.owner.ask('POST', '/sites/1/notes', { date: '2026-03-10', text });
  const page = await signedIn(stage, 320);
  await page.goto('/sites/example.com');
  await settled(page);
  await page.keyboard.press('Tab');
  await page.locator('.plot-area').focus();
  const box = async (selector: string) => {
    const found = await page.locator(selector).boundingBox();
    assert.ok(found);
    return found;
  };
  const card = await box('.summary');
  for (let point = 0; point < 30; point++) {
    await page.keyboard.press(point === 0 ? 'Home' : 'ArrowRight');
    const tooltip = await box('.chart-tooltip');
    assert.ok(tooltip.x >= card.x && tooltip.x + tooltip.width <= card.x + card.width, `${point}`);
    assert.ok(tooltip.width >= 120, `${point} is ${tooltip.width} wide`);
  }
  const isCut = `(() => {
    const { bottom, left } = document.querySelector('.chart-tooltip').getBoundingClientRect();
    for (let e = document.querySelector('.chart-tooltip').parentElement; e !== document.body; e = e.parentElement)
      if (getComputedStyle(e).overflow !== 'visible' && e.getBoundingClientRect().bottom < bottom) return true;
    return false;
  })()`;
  assert.equal(await page.evaluate(isCut), false);
});

test('days and filters stay in sight on a large window', async (t) => {
  const page = await signedIn(await serving(t), 1280);
  await page.goto('/sites/example.com?source=');
  await settled(page);
  await page.mouse.wheel(0, 600);
  const filter = page.getByRole('button', { name: 'Remove the filter Source is Direct' });
  await until('the header stands', async () => ((await page.locator('.site-header').boundingBox())?.y ?? 1) <= 0);
  assert.ok(((await filter.boundingBox())?.y ?? -1) > 0);
});
