import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';

/** What Node would read as the host example.com. */
const LOOKALIKES = ['/x', '?x', '#x', '\t', '\\x', '\n', '\u00ad'].map((end) => `example.com${end}`);

test('a site is found by its whole domain or its id, and by nothing that begins with them', async (t) => {
  const { ask, owner, siteId } = await startApp(t);
  for (const key of [String(siteId), 'example.com', 'EXAMPLE.com'])
    assert.equal((await owner.ask('GET', `/sites/${key}`)).body.data.id, siteId, key);
  const { share_url: url } = (await owner.ask('PATCH', `/sites/${siteId}`, { shared: true })).body.data;
  const slug = url.split('/').at(-1);
  for (const key of [...LOOKALIKES, `${siteId}/x`, `${siteId}.0`, `0${siteId}`].map(encodeURIComponent)) {
    assert.equal((await owner.ask('GET', `/sites/${key}`)).status, 404, key);
    const shared = { headers: { authorization: `Share ${slug}` } };
    assert.equal((await ask('GET', `/api/v1/sites/${key}`, shared)).status, 404, `shared ${key}`);
  }
});

test('something is added to a site under its domain in another script, and the answer says where', async (t) => {
  const { ask, owner } = await startApp(t);
  await owner.ask('POST', '/sites', { domain: '例え.テスト' });
  const path = `/sites/${encodeURIComponent('例え.テスト')}/notes`;
  const { status, headers, body } = await owner.ask('POST', path, { date: '2026-03-01', text: 'Launch' });
  assert.deepEqual([status, headers.get('location')], [201, `/api/v1${path}/${body.data.id}`]);
  assert.equal((await owner.ask('GET', path)).body.data.length, 1);
  assert.equal((await owner.ask('DELETE', `${path}/${body.data.id}`)).status, 204);
  assert.equal((await ask('GET', `/api/v1${path}`)).status, 401);
});
