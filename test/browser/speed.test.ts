import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { faults } from './axe.ts';
import { drawn, look, serving } from './browser.ts';

test('a site that measures speed has its panel, first with a hint, then with vitals by page and device', async (t) => {
  const stage = await serving(t);
  const settings = await stage.signIn(stage.manager, '/sites/example.com/settings/general');
  await settings.getByText('Measure how fast pages are').click();
  await settings.getByText('Paste this line below the first one.').waitFor();
  await settings.getByText('/day-vitals.js').waitFor();

  await look(stage, { '/shop': 2, '/': 1 });
  const page = await stage.signIn(stage.viewer, '/sites/example.com?range=today');
  await drawn(page);
  const panel = page.getByRole('region', { name: 'Speed', exact: true });
  await panel.getByText('No measurements on these days.').waitFor();

  const vitals = { lcp: 2_100, inp: 90, cls: 0.1, fcp: 900, ttfb: 300 };
  const headers = { ...BROWSER, 'user-agent': `${BROWSER['user-agent']} 50` };
  await stage.ask('POST', '/day', { body: { site: 'example.com', url: 'https://example.com/shop', vitals }, headers });
  await page.reload();
  await drawn(page);
  await panel.getByRole('row', { name: '/shop' }).waitFor();
  assert.match(
    (await panel.getByRole('row').nth(1).textContent()) ?? '',
    /^\/shop2,126 ms100.0% good.*0.10100.0% good/,
  );
  await panel.getByRole('tab', { name: 'Device' }).click();
  await panel.getByRole('rowheader', { name: 'Desktop' }).waitFor();
  assert.deepEqual(await faults(page, { within: '[aria-labelledby="panel-speed"]' }), []);
  const shots = process.env.SPEED_SHOTS;
  if (shots) {
    await panel.getByRole('tab', { name: 'Page' }).click();
    await panel.getByRole('rowheader', { name: '/shop' }).waitFor();
    for (const [name, colorScheme, width] of [
      ['light', 'light', 1200],
      ['dark', 'dark', 1200],
      ['phone', 'light', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await panel.screenshot({ path: `${shots}/vitals-${name}.png` });
    }
  }
});
