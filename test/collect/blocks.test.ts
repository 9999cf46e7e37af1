import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE, reasonOf, type Stage, stage } from './sending.ts';
import { AMERICAN, CHROME, GERMAN } from './stage.ts';

const block = async ({ manager, siteId }: Stage, body: object): Promise<number> => {
  const answer = await manager.ask('POST', `/sites/${siteId}/blocks`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
};

/** How many hits a block has dropped. */
const droppedBy = async ({ owner, siteId }: Stage, id: number): Promise<number> => {
  const { body } = await owner.ask('GET', `/sites/${siteId}/blocks`);
  return body.data.find((one: { id: number }) => one.id === id).dropped;
};

test('blocks: a hit of each kind is dropped as blocked and counted, and others are not', async (t) => {
  const place = await stage(t);
  const { owner, siteId, engine, held } = place;
  const url = 'https://example.com/';
  const hit = { url, ip: AMERICAN, agent: CHROME };
  const kinds = [
    { body: { kind: 'address', value: '198.51.100.7' }, hits: [{ ip: '198.51.100.7' }, { ip: '::ffff:198.51.100.7' }] },
    { body: { kind: 'address', value: '2001:db8:7:8::1' }, hits: [{ ip: '2001:db8:7:8:aaaa::2' }] },
    { body: { kind: 'country', value: 'de' }, hits: [{ ip: GERMAN }] },
    { body: { kind: 'hostname', value: 'staging.*' }, hits: [{ url: 'https://staging.example.com/' }] },
    { body: { kind: 'page', value: '/internal/*' }, hits: [{ url: `${url}internal/a?x=1` }] },
    { body: { kind: 'source', value: '*.SPAM.example' }, hits: [{ referrer: 'https://a.spam.example/b' }] },
    { body: { kind: 'agent', value: 'Chrome/99' }, hits: [{ agent: `${CHROME} CHROME/99` }] },
  ];
  let sum = 0;
  for (const { body, hits } of kinds) {
    const id = await block(place, { ...body, note: 'test' });
    const list = hits.map((one) => ({ ...hit, ...one }));
    const answer = await owner.ask('POST', `/sites/${siteId}/hits`, list);
    assert.deepEqual(answer.body.data, { accepted: 0, dropped: hits.length }, JSON.stringify(body));
    assert.equal(await droppedBy(place, id), hits.length);
    sum += hits.length;
  }
  const others = [hit, { ...hit, ip: '2001:db8:7:9::1' }, { ...hit, url: `${url}internals` }];
  const answer = await owner.ask('POST', `/sites/${siteId}/hits`, others);
  assert.deepEqual(answer.body.data, { accepted: 3, dropped: 0 });
  await engine.intake.append({});
  assert.deepEqual(await held.drops(siteId), { blocked: sum });
});

test('blocks: a browser does not learn that it is blocked, and counts again without the block', async (t) => {
  const place = await stage(t);
  const { send, held, manager, siteId } = place;
  await send(PAGE, { address: GERMAN });
  const id = await block(place, { kind: 'address', value: GERMAN });
  const { status, headers } = await send(PAGE, { address: GERMAN });
  assert.deepEqual([status, headers.get('Daybook-Dropped')], [202, null]);
  assert.equal((await held.hits()).length, 1);
  assert.equal((await manager.ask('DELETE', `/sites/${siteId}/blocks/${id}`)).status, 204);
  assert.equal(reasonOf(await send(PAGE, { address: GERMAN })), null);
  assert.equal((await held.hits()).length, 2);
});

test('blocks: other sites still count what one site blocks', async (t) => {
  const place = await stage(t);
  await block(place, { kind: 'page', value: '*' });
  const sent = { url: 'https://other.example/', ip: GERMAN, agent: CHROME };
  const { stranger, strangerSiteId } = place;
  const { body } = await stranger.ask('POST', `/sites/${strangerSiteId}/hits`, [
    { ...sent, url: `https://${await domainOf(place)}/` },
  ]);
  assert.deepEqual(body.data, { accepted: 1, dropped: 0 });
});

const domainOf = async ({ stranger, strangerSiteId }: Stage): Promise<string> =>
  (await stranger.ask('GET', `/sites/${strangerSiteId}`)).body.data.domain;
