import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { FIREFOX } from '../support/helpers.ts';
import type { Asking } from '../support/requests.ts';
import { PAGE, PIXEL, reasonOf, stage } from './sending.ts';
import { AMERICAN, GERMAN } from './stage.ts';

/** The server of a website passes on the IP address of a visitor, from its own IP address. */
const passed = (token: string | undefined, address = GERMAN): Asking => ({
  address: AMERICAN,
  headers: {
    'daybook-visitor-ip': address,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  },
});

test('passed on: a message with a token has the IP address of its visitor', async (t) => {
  const { send, held, owner, manager, tokenOf, db, everyMinute } = await stage(t);
  for (const person of [owner, manager]) {
    const asking = passed(tokenOf(person, ['collect']));
    assert.equal(reasonOf(await send(PAGE, asking)), null);
    assert.equal(reasonOf(await send({ ...PAGE, engaged: 12_000, scroll: 80 }, asking)), null);
  }
  // The website's server is no visitor, so the check of visitors' networks leaves it out.
  everyMinute();
  assert.match(findUpkeep(db, 'visitors')?.words ?? '', /"count":1\b/);
  // The visitor is the one that comes directly from this IP address.
  assert.equal(reasonOf(await send(PAGE, { address: GERMAN })), null);
  const hits = (await held.hits()).filter(({ engaged }) => engaged === null);
  assert.deepEqual(
    hits.map(({ country }) => country),
    ['DE', 'DE', 'DE'],
  );
  assert.equal(new Set((await held.hits()).map(({ visitor }) => visitor)).size, 1);
});

test('passed on: the pixel takes the IP address of a visitor too', async (t) => {
  const { look, held, owner, tokenOf } = await stage(t);
  assert.equal((await look(PIXEL, passed(tokenOf(owner, ['collect'])))).status, 200);
  assert.equal((await look(PIXEL, passed('1|dbk_wrong'))).status, 401);
  assert.deepEqual(
    (await held.hits()).map(({ country }) => country),
    ['DE'],
  );
});

test('passed on: without a token that may collect for the site, a message is refused', async (t) => {
  const { send, held, owner, viewer, stranger, tokenOf } = await stage(t);
  const answers: [token: string | undefined, status: number][] = [
    [undefined, 401],
    ['1|dbk_wrong', 401],
    [tokenOf(owner, ['read']), 403],
    [tokenOf(viewer, ['collect']), 403],
    [tokenOf(stranger, ['collect']), 404],
  ];
  for (const [token, status] of answers) {
    assert.equal((await send(PAGE, passed(token))).status, status, String(token));
    assert.equal((await send({ ...PAGE, engaged: 1_000 }, passed(token))).status, status, String(token));
  }
  assert.deepEqual(await held.hits(), []);
});

test('passed on: a text that is no IP address is refused by name', async (t) => {
  const { send, owner, tokenOf } = await stage(t);
  const { status, text } = await send(PAGE, passed(tokenOf(owner, ['collect']), 'localhost'));
  assert.equal(status, 422);
  assert.match(text, /daybook-visitor-ip/);
});

test('passed on: the API takes nothing that the server of a website forwards for a visitor', async (t) => {
  const { ask, owner, siteId, held, tokenOf } = await stage(t, { mcp: 'on' });
  const asking = {
    ...passed(tokenOf(owner, ['write'])),
    body: [{ url: 'https://example.com/', ip: AMERICAN, agent: FIREFOX }],
  };
  for (const path of ['hits', 'crawls', 'goals']) {
    const { status } = await ask('POST', `/api/v1/sites/${siteId}/${path}`, asking);
    assert.equal(status, 404, path);
  }
  assert.deepEqual(await held.hits(), []);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sites', arguments: {} } };
  const { status } = await ask('POST', '/mcp', { ...passed(tokenOf(owner, ['read'])), body: message });
  assert.equal(status, 404, 'an assistant');
});

test('passed on: after a rename, messages under the former domain still count', async (t) => {
  const { send, owner, siteId, stranger, held, tokenOf } = await stage(t);
  assert.equal((await owner.ask('PATCH', `/sites/${siteId}`, { domain: 'new.example' })).status, 200);
  assert.equal(reasonOf(await send(PAGE, passed(tokenOf(owner, ['collect'])))), null);
  assert.equal((await send(PAGE, passed(tokenOf(stranger, ['collect'])))).status, 404);
  assert.equal((await held.hits()).length, 1);
});

test('passed on: blocks, excluded IP addresses and the flood limit are about the visitor, not the sender', async (t) => {
  const other = '192.0.2.77';
  const { send, owner, siteId, held, tokenOf } = await stage(t, {
    flood: '1',
    'exclude-addresses': `${AMERICAN}, 192.0.2.78`,
  });
  const token = tokenOf(owner, ['collect']);
  const counted = async () => (await held.hits()).length;
  const sendTimes = async (times: number, address: string) => {
    for (let n = 0; n < times; n++) reasonOf(await send(PAGE, passed(token, address)));
  };
  // Each IP address may send three hits at once.
  await sendTimes(3, GERMAN);
  await sendTimes(3, other);
  assert.equal(await counted(), 6, 'the sender is excluded, and no visitor');
  await sendTimes(1, GERMAN);
  await sendTimes(1, '192.0.2.78');
  assert.equal(await counted(), 6);
  await owner.ask('POST', `/sites/${siteId}/blocks`, { kind: 'address', value: '192.0.2.79' });
  await sendTimes(1, '192.0.2.79');
  await sendTimes(1, '::ffff:192.0.2.79');
  assert.equal(await counted(), 6);
  await sendTimes(1, '192.0.2.80');
  assert.equal(await counted(), 7);
});
