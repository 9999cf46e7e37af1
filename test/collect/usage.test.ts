import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { DROPPED, PAGE, PIXEL, reasonOf, stage } from './sending.ts';
import { GERMAN, GPTBOT, IPHONE, storedUsage } from './stage.ts';

test('hits of a blocked account are still counted, and used', async (t) => {
  const { send, look, owner, db, held } = await stage(t);
  changePlan(db, owner.id, null);
  assert.equal((await owner.ask('GET', '/sites')).status, 402);
  assert.equal(reasonOf(await send(PAGE)), null);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal((await held.hits()).length, 2);
  assert.equal((await owner.ask('GET', '/account')).body.data.events_used, 2);
});

test('pageviews and events are used up, and nothing else is', async (t) => {
  const { send, look, ask, owner, stranger, db, held, tokenOf, siteId, clock } = await stage(t, { flood: '0' });
  const token = tokenOf(owner, ['collect']);
  await send(PAGE);
  await send({ ...PAGE, event: 'x' });
  await look(PIXEL);
  const passed = { url: PAGE.url, ip: GERMAN, agent: IPHONE };
  await ask('POST', `/api/v1/sites/${siteId}/hits`, { token, body: [passed, passed, { ...passed, agent: GPTBOT }] });
  assert.equal(storedUsage(db, owner.accountId), 5);

  clock.pass(60);
  assert.equal(reasonOf(await send({ ...PAGE, engaged: 5_000 })), null);
  for (const [, message, headers = {}] of DROPPED) await send(message, { headers });
  await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token, body: [{ url: PAGE.url, agent: GPTBOT }] });
  assert.equal((await held.crawls(siteId))['gptbot /'], 3);
  const used = async (person: typeof owner) => (await person.ask('GET', '/account')).body.data.events_used;
  assert.equal(await used(owner), 5);
  assert.equal(await used(stranger), 0);

  // A month counts for itself.
  clock.pass(31 * 86_400);
  assert.equal(await used(owner), 0);
  await send(PAGE);
  assert.equal(await used(owner), 1);
});
