import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSearches } from '../../src/store/sites/searches.ts';
import { faults } from './axe.ts';
import { drawn, look, serving } from './browser.ts';

test('a site with imported searches has a panel of them, and one without has none', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 });
  const page = await stage.signIn(stage.viewer, '/sites/example.com?range=30d');
  await drawn(page);
  const panel = page.getByRole('region', { name: 'Searches on Google', exact: true });
  assert.equal(await panel.count(), 0);

  const day = Math.floor(stage.clock.now() / 86_400_000) - 3;
  const row = (kind: 'day' | 'query' | 'device', name: string, clicks: number, impressions: number) => ({
    kind,
    name,
    clicks,
    impressions,
    places: impressions * 1_250,
    firstDay: day,
    lastDay: day,
  });
  const rows = [
    row('day', '', 12, 500),
    row('query', 'running shoes', 8, 100),
    row('query', 'red shoes', 2, 300),
    row('device', 'Mobile', 9, 400),
  ];
  stage.db.write(() => addSearches(stage.db, stage.siteId, rows));
  await page.reload();
  await drawn(page);
  await panel.getByRole('row', { name: 'running shoes' }).waitFor();
  assert.match((await panel.getByRole('row').nth(1).textContent()) ?? '', /^running shoes81008.0%1.25$/);
  await panel.getByText('All searches from Sat, 7 Mar 2026 to Sat, 7 Mar 2026: 12 clicks, 500 impressions.').waitFor();
  assert.deepEqual(await faults(page, { within: '[aria-labelledby="panel-search"]' }), []);
  await panel.getByRole('tab', { name: 'Device' }).click();
  await panel.getByRole('rowheader', { name: 'Mobile' }).waitFor();
});
