import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSearches, type SearchKind } from '../../src/store/sites/searches.ts';
import { faults } from './axe.ts';
import { drawn, look, serving } from './browser.ts';

function importSearches({ clock, db, siteId }: Awaited<ReturnType<typeof serving>>): void {
  const day = Math.floor(clock.now() / 86_400_000) - 3;
  const row = (kind: SearchKind, name: string, clicks: number, impressions: number) => ({
    ...{ kind, name, clicks, impressions, places: impressions * 1_250 },
    ...{ firstDay: day, lastDay: day },
  });
  const rows = [
    row('day', '', 12, 500),
    row('query', 'running shoes', 8, 100),
    row('query', 'red shoes', 2, 300),
    row('device', 'Mobile', 9, 400),
  ];
  db.write(() => addSearches(db, siteId, rows));
}

test('a site with imported searches has a panel of them, and one without has none', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 });
  const page = await stage.signIn(stage.viewer, '/sites/example.com?range=30d');
  await drawn(page);
  const panel = page.getByRole('region', { name: 'Searches on Google', exact: true });
  assert.equal(await panel.count(), 0);

  importSearches(stage);
  await page.reload();
  await drawn(page);
  await panel.getByRole('row', { name: 'running shoes' }).waitFor();
  assert.match((await panel.getByRole('row').nth(1).textContent()) ?? '', /^running shoes81008.0%1.25$/);
  await panel.getByText('All searches from Sat, 7 Mar 2026 to Sat, 7 Mar 2026: 12 clicks, 500 impressions.').waitFor();
  assert.deepEqual(await faults(page, { within: '[aria-labelledby="panel-search"]' }), []);
  await panel.getByRole('tab', { name: 'Device' }).click();
  await panel.getByRole('rowheader', { name: 'Mobile' }).waitFor();
});

test('a shared page has the panel of searches, and one with a view of some visits has none', async (t) => {
  const stage = await serving(t);
  const { owner, siteId } = stage;
  await look(stage, { '/': 1 });
  const panelOf = async (body: object) => {
    const { data } = (await owner.ask('POST', `/sites/${siteId}/shares`, body)).body;
    const page = await stage.open();
    await page.goto(`${new URL(data.url).pathname}?range=30d`);
    await drawn(page);
    return page.getByRole('region', { name: 'Searches on Google', exact: true });
  };
  assert.equal(await (await panelOf({ name: 'Before' })).count(), 0);
  importSearches(stage);
  const view = await owner.ask('POST', `/sites/${siteId}/views`, { name: 'Germany', query: 'country=DE' });
  await (await panelOf({ name: 'All' })).getByRole('row', { name: 'running shoes' }).waitFor();
  assert.equal(await (await panelOf({ name: 'Part', view_id: view.body.data.id })).count(), 0);
});
