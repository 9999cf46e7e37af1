import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './axe.ts';
import { assertFits, look, serving } from './browser.ts';

test('glance: axe finds nothing wrong with the widget, in light and dark, and it fits into a narrow frame', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3 });
  const slug = await stage.share(stage.owner, stage.siteId);
  for (const theme of ['light', 'dark']) {
    const page = await stage.open();
    await page.goto(`/sites/example.com/glance?share=${slug}&theme=${theme}`);
    await page.getByText('3 visitors now').waitFor();
    assert.deepEqual(await faults(page), []);
    await assertFits(page, [200, 340]);
  }
});
