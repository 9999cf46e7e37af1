import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { faults } from './axe.ts';
import { assertFits, drawn, type Stage, searchIs, serving } from './browser.ts';

const WAYS: [visits: number, pages: string[]][] = [
  [60, ['/', '/pricing', '/signup', '/welcome', '/docs']],
  [40, ['/', '/docs', '/docs/start', '/pricing']],
  [35, ['/']],
  [20, ['/', '/pricing']],
  ...['/a', '/b', '/c', '/d'].map((page): [number, string[]] => [5, ['/', page]]),
  [10, ['/blog', '/', '/signup']],
];

/** A site with a goal and the visits above. The goal has the id 1. */
async function furnish({ owner, db, siteId }: Stage): Promise<void> {
  let visitor = 0;
  const hits = WAYS.flatMap(([visits, pages]) =>
    Array.from({ length: visits }, () => {
      visitor += 1;
      return pages.map((page, i) => pageview({ siteId, day: TODAY - 1, visitor, second: 60 * i, page }));
    }).flat(),
  );
  await append(db, hits);
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/signup' });
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Journeys', exact: true });
const PANEL = 'section:has(> #panel-journeys)';

/** The texts of a column, with the figures of each place. */
const columnOf = (page: Page, title: string): Promise<string[]> =>
  panelOf(page)
    .locator('.journey-columns-step', { has: page.getByText(title, { exact: true }) })
    .locator('li')
    .allTextContents();

test('journeys: a click on a page shows what its visits saw next, and a start is in the address', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com', { viewport: { width: 1280, height: 900 } });
  await drawn(page);
  const panel = panelOf(page);
  assert.deepEqual(await columnOf(page, 'Step 1'), ['/175 visits · 94.6%', '/blog10 visits · 5.4%']);
  assert.deepEqual((await columnOf(page, 'Step 2')).slice(0, 2), [
    '/pricing80 visits · 45.7%',
    '/docs40 visits · 22.9%',
  ]);
  await panel.getByText('185 visits began on these pages.').waitFor();
  await panel.getByRole('button', { name: /^\/docs 40/ }).click();
  await until('the next column is about the chosen page', async () =>
    (await columnOf(page, 'Step 3')).includes('/docs/start40 visits · 100.0%'),
  );
  assert.equal(await panel.getByRole('button', { name: /^\/docs 40/ }).getAttribute('aria-pressed'), 'true');

  await panel.getByRole('button', { name: 'Journeys from /docs' }).click();
  await searchIs(page, /journey=\/docs$/);
  await panel.getByText('100 visits saw this page: 54.1% of all visits.').waitFor();
  assert.deepEqual(await columnOf(page, 'Step 1'), ['/docs/start40 visits · 40.0%', 'Ended here60 visits · 60.0%']);
  await panel.getByRole('tab', { name: 'Pages before' }).click();
  await searchIs(page, /journey=\/docs&direction=before$/);
  await until('the pages before are shown', async () =>
    (await columnOf(page, 'Step 1')).includes('/welcome60 visits · 60.0%'),
  );
  await panel.getByRole('button', { name: 'Show another step' }).click();
  await until('there is a fourth step', async () => (await columnOf(page, 'Step 4')).length > 0);

  await panel.getByLabel('Start at').selectOption('Goal /signup');
  await searchIs(page, /journey=goal:1&direction=before$/);
  await panel.getByText('70 visits reached this goal: 37.8% of all visits.').waitFor();
  await panel.getByLabel('Start at').selectOption('A page');
  await panel.getByLabel('Page or pattern').fill('/docs*');
  await panel.getByRole('button', { name: 'Show', exact: true }).click();
  await searchIs(page, /journey=\/docs\*/);
  await panel.getByText('100 visits saw this page').waitFor();
  await panel.getByLabel('Start at').selectOption('Entry pages');
  await searchIs(page, '');
});

test('journeys: other pages are listed on a click, a file has the whole tree, and a table says it to screen readers', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com?journey=/', {
    viewport: { width: 1280, height: 900 },
  });
  await drawn(page);
  const panel = panelOf(page);
  const table = panel.getByRole('table', { name: 'Journeys' });
  const other = await table
    .getByRole('row', { name: /Other pages/ })
    .first()
    .textContent();
  assert.equal(other, '1Other pages105.4%10');
  await panel.getByRole('button', { name: /^Other pages/ }).click();
  await until('all pages are listed', async () => (await columnOf(page, 'Step 1')).length === 8);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download Journeys as CSV' }).click(),
  ]);
  assert.match(
    readFileSync(await file.path(), 'utf8'),
    /Step,Pages,Visits,Share \(percent\),Ended\r\n0,\/,185,100,35\r\n1,\/ > \/pricing,80,43.2,20\r\n/,
  );
});

test('journeys: arrow keys go through the columns, and Enter chooses', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com?journey=/', {
    viewport: { width: 1280, height: 900 },
  });
  await drawn(page);
  const isFocused = (name: string) =>
    until(`the focus is on ${name}`, async () =>
      String(await page.evaluate('document.activeElement?.textContent')).startsWith(name),
    );
  await panelOf(page)
    .getByRole('button', { name: /^\/ 185/ })
    .focus();
  for (const [key, name] of [
    ['ArrowRight', '/pricing80'],
    ['ArrowDown', '/docs40'],
    ['Enter', '/docs40'],
    ['ArrowRight', '/docs/start40'],
    ['ArrowRight', '/pricing40'],
    ['ArrowLeft', '/docs/start40'],
    ['ArrowLeft', '/docs40'],
    ['ArrowUp', '/pricing80'],
    ['ArrowRight', '/signup60'],
  ] as const) {
    await page.keyboard.press(key);
    await isFocused(name);
  }
  // Outside of the columns, these keys change the range.
  assert.equal(new URL(page.url()).searchParams.get('range'), null);
});

test('journeys: a row of pages and a goal lead to their journeys', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  const page = await stage.signIn(stage.owner, '/sites/example.com', { viewport: { width: 1280, height: 900 } });
  await drawn(page);
  const row = page.getByRole('region', { name: 'Pages', exact: true }).locator('.rows-line', { hasText: '/welcome' });
  await row.hover();
  await row.getByRole('button', { name: 'Journeys from here' }).click();
  await searchIs(page, /journey=\/welcome$/);
  await panelOf(page).getByText('60 visits saw this page').waitFor();
  await until('the panel is in the window', async () => {
    const box = await panelOf(page).boundingBox();
    return box !== null && box.y < 900;
  });
  const goal = page.getByRole('region', { name: 'Goals' }).locator('.rows-line');
  await goal.hover();
  await goal.getByRole('button', { name: 'Journeys from here' }).click();
  await searchIs(page, /journey=goal:1&direction=before$/);
});

test('journeys: the panel has no fault for axe, fits a phone, and says what to do if there are no visits', async (t) => {
  const stage = await serving(t);
  await furnish(stage);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await stage.signIn(stage.owner, '/sites/example.com?journey=/', { colorScheme });
    await drawn(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await faults(page, { within: PANEL }), [], `${colorScheme} ${width}`);
    }
  }
  const page = await stage.signIn(stage.owner, '/sites/example.com?journey=/never');
  await drawn(page);
  await panelOf(page).getByText('No visits start here on these days.').waitFor();
  assert.deepEqual(await faults(page, { within: PANEL }), []);
  await page.goto('/sites/example.com?journey=/');
  await drawn(page);
  await assertFits(page, [1280, 768, 390, 320]);
});
