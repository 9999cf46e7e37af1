import { test } from 'node:test';
import { until } from '../support/program.ts';
import { drawn, look, serving, show } from './browser.ts';

/** The longest stretch of a column of panels in which there is no panel, in pixels. */
const LONGEST_HOLE = `(() => {
  const grid = document.querySelector('.panels').getBoundingClientRect();
  const panels = [...document.querySelectorAll('.panels > *')].map((panel) => panel.getBoundingClientRect());
  let longest = 0;
  for (let x = grid.left + 20; x < grid.right; x += 100) {
    let hole = 0;
    for (let y = grid.top; y < grid.bottom; y++) {
      const isIn = panels.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
      hole = isIn ? 0 : hole + 1;
      longest = Math.max(longest, hole);
    }
  }
  return longest;
})()`;

test('the grid of panels has no holes, of one site and of all', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3, '/a': 2 });
  await owner.ask('POST', '/sites', { domain: 'other.example' });
  const page = await signIn(owner, '/sites/example.com');
  for (const place of ['/sites/example.com', '/all-sites']) {
    await show(page, place);
    for (const width of [1440, 1920]) {
      await page.setViewportSize({ width, height: 4000 });
      await drawn(page);
      // Between two panels are 16 pixels.
      await until(`${place} at ${width} has no holes`, async () => Number(await page.evaluate(LONGEST_HOLE)) <= 17);
    }
  }
});

test('the grid of panels has no holes with a panel of properties', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3, '/a': 2 }, { props: { plan: 'pro' } });
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  await page.getByRole('region', { name: 'Properties' }).waitFor();
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 4000 });
    await drawn(page);
    await until(`there are no holes at ${width}`, async () => Number(await page.evaluate(LONGEST_HOLE)) <= 17);
  }
});

/** The notes of goals that do not fit, with their text. */
const CUT_NOTES = `[...document.querySelectorAll('.goals-table .panel-note')]
  .filter((note) => note.scrollWidth > note.clientWidth + 1)
  .map((note) => note.textContent)`;

test('the panel of goals says which goal is the main goal, however narrow the panel is', async (t) => {
  const stage = await serving(t);
  const { owner, signIn } = stage;
  await look(stage, { '/': 3, '/reference/configuration': 2 });
  const goal = { type: 'page', value: '/reference/configuration' };
  const { body } = await owner.ask('POST', '/sites/example.com/goals', goal);
  await owner.ask('PATCH', '/sites/example.com', { main_goal_id: body.data.id, currency: 'EUR' });
  for (const [locale, main] of Object.entries({ en: 'main goal', fr: 'objectif principal' })) {
    const page = await signIn(owner, '/sites/example.com', { locale });
    const note = page.locator('.goals-table .panel-note', { hasText: main });
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 4000 });
      await drawn(page);
      await note.waitFor();
      await until(
        `no note is cut at ${width}`,
        async () => ((await page.evaluate(CUT_NOTES)) as string[]).length === 0,
      );
    }
  }
});
