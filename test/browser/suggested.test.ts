import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { drawn, serving } from './browser.ts';

const WAVE = TODAY - 3;

/** Six weeks with 30 visits a day, and 100 more on one of them from nowhere. */
async function wave(t: Parameters<typeof serving>[0]) {
  const stage = await serving(t);
  const { db, siteId } = stage;
  let visitor = 0;
  const visits = (count: number, day: number, country: string) =>
    Array.from({ length: count }, (_, i) =>
      pageview({ siteId, day, country, visitor: ++visitor, page: `/${i % 5}`, second: 36_000 + i * 60 }),
    );
  const usual = Array.from({ length: 43 }, (_, back) => ['DE', 'FR', 'US'].flatMap((c) => visits(10, TODAY - back, c)));
  await append(db, [...usual.flat(), ...visits(100, WAVE, 'XX')]);
  return stage;
}

const markIn = (page: Page) => page.getByRole('button', { name: /^Unusual traffic on Sat,? 7 Mar 2026$/ });

/** What of the page lies over figures, words or links that the page would otherwise show. */
const FIXED = `[...document.querySelectorAll('main *')].filter((one) => getComputedStyle(one).position === 'fixed').length`;

test('a day that stands out has a mark in the chart, which offers to exclude its visits', async (t) => {
  const { signIn, manager, viewer } = await wave(t);
  const asViewer = await signIn(viewer, '/sites/example.com');
  await asViewer.getByRole('slider').waitFor();

  const page = await signIn(manager, '/sites/example.com');
  const mark = markIn(page);
  await mark.waitFor();
  assert.equal(await page.evaluate(FIXED), 0, 'nothing lies over the page');
  // It stands on the axis, below its day: the fourth from the right of thirty.
  const [plot, at] = [await page.locator('.plot-area').boundingBox(), await mark.boundingBox()];
  assert.ok(plot && at);
  assert.ok(Math.abs(at.x + at.width / 2 - (plot.x + (plot.width * 26) / 29)) < 2);
  assert.ok(Math.abs(at.y + at.height - (plot.y + plot.height)) < 12);

  await mark.click();
  const offer = page.getByRole('dialog', { name: /Unusual traffic/ });
  await offer.getByText('100 visits match these conditions: Country is XX').waitFor();
  await offer.getByRole('img', { name: /100$/ }).waitFor();
  // Bars of pageviews would be called visitors.
  await page.goto('/sites/example.com?show=pageviews');
  await mark.click();
  await offer.getByText('100 visits match these conditions: Country is XX').waitFor();
  assert.equal(await offer.getByRole('img').count(), 0);
  assert.equal(await markIn(asViewer).count(), 0);

  await offer.getByRole('button', { name: 'Exclude visits' }).click();
  const excluded = page.getByRole('link', { name: /100 visits excluded \(Country is XX\)/ });
  await excluded.waitFor();
  const [{ from, to, filters }] = (await manager.ask('GET', '/sites/example.com/exclusions')).body.data;
  const date = formatDay(WAVE * DAY);
  assert.deepEqual({ from, to, filters }, { from: date, to: date, filters: { country: 'XX' } });
  await excluded.click();
  await page.getByRole('button', { name: 'Undo Country is XX' }).waitFor();
});

test('what one dismisses is dismissed for the others too', async (t) => {
  const { signIn, manager, owner } = await wave(t);
  const page = await signIn(manager, '/sites/example.com');
  const mark = markIn(page);
  await mark.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await mark.waitFor({ state: 'detached' });
  const another = await signIn(owner);
  const asked = another.waitForResponse(/suggestions/);
  await another.goto('/sites/example.com');
  await (await asked).finished();
  await another.getByRole('slider').waitFor();
  assert.equal(await markIn(another).count(), 0);
});

test('a day with a note has no mark, because its owner knows why', async (t) => {
  const { signIn, manager } = await wave(t);
  const date = formatDay(WAVE * DAY);
  await manager.ask('POST', '/sites/example.com/notes', { date, text: 'In the news' });
  const page = await signIn(manager);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('suggestions')) asked++;
  });
  for (const range of ['30d', `${date}~${date}`]) {
    await page.goto(`/sites/example.com?range=${range}`);
    await page.getByRole('slider').waitFor();
    // Suggestions are in one file with these panels, which is loaded last.
    await page.getByRole('heading', { name: 'Goals' }).waitFor();
    await drawn(page);
  }
  assert.equal(asked, 0);
});
