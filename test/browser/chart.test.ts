import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../support/program.ts';
import { look, type Stage, searchIs, serving } from './browser.ts';

const signedIn = async (stage: Stage, width: number): Promise<Page> => {
  await look(stage, { '/': 3, '/prices': 2 });
  return await stage.signIn(stage.owner, '/', { viewport: { width, height: 900 } });
};

/** The chart and the figures are those of the address. */
const settled = (page: Page): Promise<void> =>
  until('nothing is on its way', async () => {
    await page.locator('.plot-area').waitFor();
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

/** A place in the plot, in pixels of the window. `share` is how far to the right it is. */
async function placeInPlot(page: Page, share: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('.plot-area').boundingBox();
  assert.ok(box);
  return { x: box.x + box.width * share, y: box.y + box.height / 2 };
}

test('the chart is zoomed by a drag to the left, which may end outside of it, and by no click', async (t) => {
  const page = await signedIn(await serving(t), 1280);
  await page.goto('/sites/example.com');
  await settled(page);
  const [from, to] = [await placeInPlot(page, 9.6 / 29), await placeInPlot(page, -0.02)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('.plot-selection').waitFor();
  await page.mouse.up();
  await searchIs(page, /\brange=2026-02-09~2026-02-19$/);
  assert.equal(await page.locator('.plot-selection').count(), 0);

  await settled(page);
  const { x, y } = await placeInPlot(page, 0.5);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 2, y);
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Sat, 14 Feb 2026' }).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(0, 0);
  await page.locator('.chart-tooltip').waitFor({ state: 'detached' });
});

test('the first tap of a finger shows a point, and the second opens it', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3 });
  const settings = { viewport: { width: 390, height: 900 }, hasTouch: true };
  const page = await stage.signIn(stage.owner, '/sites/example.com', settings);
  await settled(page);
  const { x, y } = await placeInPlot(page, 10 / 29);
  await page.touchscreen.tap(x, y);
  await page.locator('.chart-tooltip').getByText('Thu, 19 Feb 2026').waitFor();
  await page.touchscreen.tap(x + 60, y);
  await page.locator('.chart-tooltip').getByText('Wed, 25 Feb 2026').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.touchscreen.tap(x + 60, y);
  await page.getByRole('dialog', { name: 'Wed, 25 Feb 2026' }).waitFor();
});

test('the hours below the chart are written as the locale has them, and as many as fit', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  for (const [locale, width, hours] of [
    ['en-US', 1280, ['Mar 10', '2 AM', '4 AM']],
    ['en-GB', 390, ['10 Mar', '06:00', '12:00']],
  ] as const) {
    const page = await signIn(owner, '/sites/example.com?range=today', { locale, viewport: { width, height: 900 } });
    await settled(page);
    const labels = await page.locator('.plot-places').innerText();
    assert.deepEqual(labels.split(/\s*\n\s*/).slice(0, 3), hours);
  }
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
