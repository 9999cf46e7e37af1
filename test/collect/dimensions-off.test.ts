import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { AMERICAN, BROWSER, CHROME, GERMAN } from './stage.ts';

const URL = 'https://example.com/a?utm_source=news&utm_medium=email&gclid';
const GONE = ['source', 'ad', 'utm_medium', 'country', 'browser', 'browser_version', 'screen', 'language'] as const;
const KEPT = { page: '/a', utm_source: 'news', device: 'Desktop', os: 'Windows' };

test('hits of browsers, of the pixel and of servers have no text of a dimension that is off, and all others', async (t) => {
  const { ask, owner, siteId, held } = await startApp(t, { flood: '0' });
  const path = `/sites/${siteId}`;
  const send = async (name: string) => {
    const message = { url: URL, referrer: 'https://google.com/', width: 1300, event: name };
    await ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: BROWSER });
    await ask('GET', `/day.gif?site=example.com&url=${encodeURIComponent(URL)}`, { headers: BROWSER });
    const { status } = await owner.ask('POST', `${path}/hits`, [{ ...message, ip: AMERICAN, agent: CHROME }]);
    assert.equal(status, 202);
  };
  await send('before');
  const names = ['source', 'utm_medium', 'country', 'browser', 'screen', 'language'];
  assert.equal((await owner.ask('PATCH', path, { dimensions_off: names })).status, 200);
  await send('after');
  const hits = await held.hits();
  assert.equal(hits.length, 6);
  for (const [i, hit] of hits.entries()) {
    for (const [name, text] of Object.entries(KEPT)) assert.equal(hit[name as 'page'], text, name);
    if (i >= 3) for (const name of GONE) assert.equal(hit[name], '', name);
  }
  const [before] = hits;
  for (const name of GONE.filter((one) => one !== 'country')) assert.notEqual(before?.[name], '', name);
});

test('reports answer with the empty value for a dimension that is off, and keep what was stored before', async (t) => {
  const { ask, owner, viewer, siteId } = await startApp(t, { flood: '0' });
  const path = `/sites/${siteId}`;
  const send = (ip: string) =>
    owner.ask('POST', `${path}/hits`, [{ url: URL, referrer: 'https://x.org/', ip, agent: CHROME }]);
  const report = async (name: string) => {
    const { body } = await viewer.ask('GET', `${path}/stats/breakdown/${name}?range=today`);
    return body.data.rows.map(({ value, visitors }: { value: string; visitors: number }) => `${value}:${visitors}`);
  };
  await send(GERMAN);
  await owner.ask('PATCH', path, { dimensions_off: ['source', 'utm_medium', 'country'] });
  await send(AMERICAN);
  assert.deepEqual(await report('countries'), [':1', 'DE:1']);
  assert.deepEqual(await report('referrers'), [':1', 'x.org:1']);
  // Tags have no row for the empty value.
  assert.deepEqual(await report('utm_medium'), ['email:1']);
  const { body } = await viewer.ask('GET', `${path}/stats/overview?range=today&filters[country]=`);
  assert.equal(body.data.visitors, 1);
  await owner.ask('PATCH', path, { dimensions_off: [] });
  await send('81.2.69.142');
  assert.deepEqual(await report('countries'), [':1', 'DE:1', 'GB:1']);
  assert.equal((await ask('GET', '/api/v1/openapi.json')).status, 200);
});
