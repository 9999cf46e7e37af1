import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';

const GERMANY = { name: 'Germany, without the blog', query: 'range=12m&country=DE&page.lacks=%2Fblog&show=pageviews' };

test('a view is kept under its name, for everybody who may see the site, until it is removed', async (t) => {
  const { manager, viewer, stranger, siteId } = await startApp(t);
  const path = `/sites/${siteId}/views`;
  const { status, body } = await manager.ask('POST', path, GERMANY);
  assert.equal(status, 201);
  assert.deepEqual(body.data, { id: body.data.id, ...GERMANY });
  const all = await manager.ask('POST', path, { name: 'All', query: '' });
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [all.body.data, body.data]);
  assert.equal((await viewer.ask('DELETE', `${path}/${body.data.id}`)).status, 403);
  assert.equal((await stranger.ask('DELETE', `${path}/${body.data.id}`)).status, 404);
  assert.equal((await manager.ask('DELETE', `${path}/${body.data.id}`)).status, 204);
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [all.body.data]);
});

const REFUSED = [
  'range=tomorrow',
  'range=2026-03-02~2026-03-01',
  'country=Germany',
  'device.not=Toaster',
  'goal=first',
  '?range=7d',
  'range=7d#there',
  'range=7d &country=DE',
  `show=${'x'.repeat(2_000)}`,
  `page.contains=${'*'.repeat(16)}`,
];

test('a view that the reports would refuse is refused', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/views`;
  for (const query of REFUSED) {
    const { status, body } = await manager.ask('POST', path, { name: 'No', query });
    assert.deepEqual([status, Object.keys(body.error.fields ?? {})], [422, ['query']], query);
  }
  for (const query of ['', 'range=7d', 'page=/a&page=/b&source=', 'exit.not=%2F&details=pages&offset=5']) {
    assert.equal((await manager.ask('POST', path, { name: 'Yes', query })).status, 201, query);
  }
  assert.equal((await manager.ask('POST', path, { name: '', query: '' })).status, 422);
});

test('a site has at most 50 views, and they go with it', async (t) => {
  const { owner, siteId, db } = await startApp(t);
  const path = `/sites/${siteId}/views`;
  for (let n = 0; n < 50; n++) assert.equal((await owner.ask('POST', path, GERMANY)).status, 201);
  const { status, body } = await owner.ask('POST', path, GERMANY);
  assert.deepEqual([status, body.error.code], [402, 'limit_reached']);
  await owner.ask('DELETE', `/sites/${siteId}`);
  assert.deepEqual(db.all('SELECT id FROM saved_view'), []);
});
