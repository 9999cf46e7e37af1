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
