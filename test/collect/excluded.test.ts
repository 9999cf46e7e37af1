import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseHits } from '../support/held.ts';
import { type Answer, dataOf } from '../support/requests.ts';
import { DROPPED, PAGE, PIXEL, reasonOf, type Stage, stage } from './sending.ts';
import { AMERICAN, BROWSER, CHROME, GERMAN, GPTBOT } from './stage.ts';

const OFFICE = { 'exclude-addresses': `${GERMAN}, 203.0.113.0/24, 2001:db8:7::/48` };
const ENGAGED = { ...PAGE, engaged: 1_000 };

/** The reports of a site, as its viewer sees them. */
async function reportOf({ viewer, siteId }: Stage, report: string): Promise<Answer['body']> {
  const path = `/sites/${siteId}/stats/${report}`;
  return dataOf(await viewer.ask('GET', path), 'GET', path);
}

test('what comes from an excluded address is not counted, however it comes, but among the drops', async (t) => {
  const place = await stage(t, OFFICE);
  const { send, look, held, siteId, owner, engine, stranger, strangerSiteId } = place;
  for (const address of [GERMAN, `::ffff:${GERMAN}`, '203.0.113.9', '2001:db8:7::1']) {
    assert.equal(reasonOf(await send(PAGE, { address })), null, address);
  }
  assert.equal((await look(PIXEL, { address: GERMAN })).headers.get('Daybook-Dropped'), null);
  await send({ ...PAGE, event: 'signup' }, { address: GERMAN });
  await send(ENGAGED, { address: GERMAN });
  const passed = { url: PAGE.url, agent: CHROME };
  const { body } = await owner.ask('POST', `/sites/${siteId}/hits`, [
    { ...passed, ip: GERMAN },
    { ...passed, ip: '::ffff:203.0.113.9' },
    { ...passed, ip: AMERICAN },
  ]);
  assert.deepEqual(body.data, { accepted: 1, dropped: 2 });
  assert.equal(reasonOf(await send(PAGE, { address: '203.0.112.9' })), null);

  await engine.intake.append({});
  assert.deepEqual(await held.drops(siteId), { excluded: 9 });
  assert.equal((await held.hits()).length, 2);
  assert.deepEqual((await reportOf(place, 'drops')).drops, [{ reason: 'excluded', hits: 9 }]);
  assert.equal((await reportOf(place, 'overview?range=today')).visitors, 2);
  assert.equal((await reportOf(place, 'realtime')).visitors, 2);
  assert.equal((await stranger.ask('GET', `/sites/${siteId}/stats/drops`)).status, 404);
  assert.deepEqual((await stranger.ask('GET', `/sites/${strangerSiteId}/stats/drops`)).body.data.drops, []);
});

test('nothing is excluded where nothing is configured', async (t) => {
  const { send, held } = await stage(t);
  for (const address of [GERMAN, '127.0.0.1', '::1']) await send(PAGE, { address });
  assert.equal((await held.hits()).length, 3);
});

test('an AI crawler at an excluded address is no crawl', async (t) => {
  const { send, held, siteId, engine } = await stage(t, OFFICE);
  const crawler = { headers: { 'user-agent': GPTBOT } };
  assert.equal(reasonOf(await send(PAGE, { ...crawler, address: GERMAN })), null);
  assert.deepEqual(await held.crawls(siteId), {});
  assert.equal(reasonOf(await send(PAGE, { ...crawler, address: AMERICAN })), 'crawler');
  await engine.intake.append({});
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /': 1 });
  assert.deepEqual(await held.drops(siteId), { crawler: 1, excluded: 1 });
});

test('the address is that of whoever stands behind a trusted proxy, and of nobody who only says so', async (t) => {
  const proxied = await stage(t, { ...OFFICE, 'trusted-proxies': '192.0.2.0/24' });
  const isCounted = async ({ send, held }: Stage, forwarded: string, address: string) => {
    const before = (await held.hits()).length;
    assert.equal(reasonOf(await send(PAGE, { address, headers: { 'x-forwarded-for': forwarded } })), null);
    return (await held.hits()).length > before;
  };
  assert.equal(await isCounted(proxied, GERMAN, '192.0.2.7'), false);
  assert.equal(await isCounted(proxied, `${AMERICAN}, ::ffff:${GERMAN}`, '192.0.2.7'), false);
  assert.equal(await isCounted(proxied, `${GERMAN}, ${AMERICAN}`, '192.0.2.7'), true, 'anybody can send the first');
  assert.equal(await isCounted(proxied, GERMAN, AMERICAN), true, 'this one is no proxy');
  assert.equal(await isCounted(proxied, AMERICAN, GERMAN), false);
});

test('no website learns from an answer whether the address of its visitor is excluded', async (t) => {
  const place = await stage(t, OFFICE);
  const { send, look } = place;
  const visible = ({ status, headers, text }: Answer) => ({ status, text, headers: [...headers] });
  const origin = { origin: 'https://curious.example', 'sec-fetch-site': 'cross-site' };
  // By agent it could be asked by a crawler only, and a page cannot choose its browser's agent.
  const rows = DROPPED.filter(([reason]) => reason !== 'crawler');
  const messages = [[PAGE], [ENGAGED], [{ ...PAGE, event: 'signup' }], ...rows.map(([, ...row]) => row)] as const;
  for (const [message, headers = {}] of messages) {
    const [inside, outside] = [GERMAN, AMERICAN].map((address) =>
      send(message, { address, headers: { ...origin, ...headers } }),
    );
    assert.deepEqual(visible(await (inside as Promise<Answer>)), visible(await (outside as Promise<Answer>)));
  }
  const [inside, outside] = await Promise.all([GERMAN, AMERICAN].map((address) => look(PIXEL, { address })));
  assert.deepEqual(visible(inside as Answer), visible(outside as Answer));
  // Nor by its time: both wait for the disk.
  const { takeAgain } = refuseHits(place);
  for (const message of [PAGE, ENGAGED]) assert.equal((await send(message, { address: GERMAN })).status, 503);
  takeAgain();
});

test('a preflight lets no page of elsewhere choose the agent', async (t) => {
  const { ask } = await stage(t);
  const answer = await ask('OPTIONS', '/day', {
    headers: { ...BROWSER, 'access-control-request-headers': 'user-agent' },
  });
  assert.doesNotMatch(answer.headers.get('Access-Control-Allow-Headers') ?? '', /user-agent|\*/i);
});
