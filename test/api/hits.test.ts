import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHROME, CURL, GERMAN, GPTBOT, TODAY } from '../collect/stage.ts';
import { cameSince, refuseHits } from '../support/held.ts';
import { fieldsOf, HIT, outcomeOf, stage } from './passed.ts';

test('hits that a server saw are stored as if their visitors had come themselves', async (t) => {
  const { passHits, ask, held } = await stage(t);
  const message = {
    url: 'https://www.example.com/a/?utm_source=x',
    referrer: 'https://x.org/',
    event: 'e',
    label: 'l',
  };
  const headers = { 'user-agent': CHROME, 'accept-language': 'de' };
  await ask('POST', '/day', { body: { site: 'example.com', ...message }, headers, address: GERMAN });
  assert.deepEqual(outcomeOf(await passHits([{ ...message, ip: GERMAN, agent: CHROME }])), [1, 0]);
  const [direct, passed] = await held.hits();
  assert.equal(direct?.country, 'DE');
  // A web server does not pass the language on.
  assert.equal(direct?.language, 'de');
  assert.deepEqual({ ...passed, language: 'de' }, direct);
});

test('the answer counts what was accepted and what was not, and the reasons are counted', async (t) => {
  const { passHits, held, siteId } = await stage(t);
  const answer = await passHits([
    HIT,
    { ...HIT, url: 'https://blog.example.com:8443/x' },
    { ...HIT, url: 'https://evil-example.com/' },
    { ...HIT, agent: CURL },
    { ...HIT, agent: '' },
    { ...HIT, agent: `${CHROME}\n` },
    { ...HIT, agent: GPTBOT },
    { ...HIT, referrer: 'https://semalt.com/' },
    { ...HIT, at: '2026-03-09T23:00:00Z' },
    { ...HIT, event: 'signup' },
  ]);
  assert.deepEqual(outcomeOf(answer), [3, 7]);
  assert.equal((await held.hits()).length, 3);
  assert.deepEqual(outcomeOf(await passHits([])), [0, 0]);
  await passHits([HIT]);
  assert.deepEqual(await held.drops(siteId), { bot: 3, crawler: 1, 'foreign-host': 1, spam: 1, 'too-late': 1 });
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /': 1 });
});

test('of a request that could not be stored nothing is counted, so that it may be sent again', async (t) => {
  const app = await stage(t);
  const { passHits, held, siteId } = app;
  const entries = [HIT, { ...HIT, agent: CURL }, { ...HIT, agent: GPTBOT }, { ...HIT, at: '2026-03-09T23:00:00Z' }];
  await passHits([HIT]);
  const { takeAgain } = refuseHits(app);
  const refused = await passHits(entries);
  assert.deepEqual([refused.status, Number(refused.headers.get('Retry-After')) > 0], [503, true]);
  takeAgain();
  assert.deepEqual(outcomeOf(await passHits(entries)), [1, 3]);
  await passHits([HIT]);
  assert.equal((await held.hits()).length, 3);
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /': 1 });
  assert.deepEqual(await held.drops(siteId), { bot: 1, crawler: 1, 'too-late': 1 });
});

test('a hit may be of any moment of today, and of a minute ahead, with any offset', async (t) => {
  const { passHits, clock, held } = await stage(t);
  clock.pass(0.9);
  const moments: [at: string, second: number | undefined][] = [
    ['2026-03-10T12:00:00Z', 43_200],
    ['2026-03-10T11:59:59Z', 43_199],
    ['2026-03-10T00:00:00Z', 0],
    ['2026-03-10T09:30Z', 34_200],
    ['2026-03-10T09:30:10.999Z', 34_210],
    ['2026-03-10T14:00:00+05:30', 30_600],
    ['2026-03-09T20:00:00-05:00', 3_600],
    // Clocks of others may be ahead, but no hit is.
    ['2026-03-10T12:00:01Z', 43_200],
    ['2026-03-10T12:01:00Z', 43_200],
    ['2026-03-10T12:01:00.999Z', 43_200],
    ['2026-03-10T12:01:01Z', undefined],
    ['2026-03-11T12:00:00Z', undefined],
    ['2026-03-09T23:59:59Z', undefined],
    ['2026-03-10T00:30:00+01:00', undefined],
    ['1969-12-31T23:59:59Z', undefined],
  ];
  for (const [at, second] of moments) {
    const before = await held.hits();
    assert.deepEqual(outcomeOf(await passHits([{ ...HIT, at }])), second === undefined ? [0, 1] : [1, 0], at);
    const [hit] = cameSince(before, await held.hits());
    assert.deepEqual([hit?.day, hit?.second], second === undefined ? [undefined, undefined] : [TODAY, second], at);
  }
  // Just before midnight a minute ahead is tomorrow, and just after it a second ago was yesterday.
  clock.pass(12 * 3_600 - 1);
  const before = await held.hits();
  assert.deepEqual(outcomeOf(await passHits([{ ...HIT, at: '2026-03-11T00:00:30Z' }])), [1, 0]);
  const [last] = cameSince(before, await held.hits());
  assert.deepEqual([last?.day, last?.second], [TODAY, 86_399]);
  clock.pass(1);
  assert.deepEqual(outcomeOf(await passHits([{ ...HIT, at: '2026-03-10T23:59:59Z' }])), [0, 1]);
  assert.deepEqual(outcomeOf(await passHits([{ ...HIT, at: '2026-03-11T00:00:00Z' }])), [1, 0]);
});

test('an IPv4 address that is written as IPv6 is the IPv4 address', async (t) => {
  const { passHits, held } = await stage(t);
  const addresses = [GERMAN, `::ffff:${GERMAN}`, '::FFFF:55d6:0101', '::ffff:8.8.8.8', '::ffff:192.0.2.1'];
  await passHits(addresses.map((ip) => ({ ...HIT, ip })));
  const hits = await held.hits();
  assert.deepEqual(
    hits.map(({ country }) => country),
    ['DE', 'DE', 'DE', 'US', ''],
  );
  const codes = hits.map(({ visitor }) => visitor);
  assert.deepEqual(
    codes.map((code) => codes.indexOf(code)),
    [0, 0, 0, 3, 4],
  );
});

test('a server may send many hits of one address at once', async (t) => {
  const { passHits, ask, held } = await stage(t);
  const many = Array.from({ length: 1_000 }, () => HIT);
  assert.deepEqual(outcomeOf(await passHits(many)), [1_000, 0]);
  assert.deepEqual(outcomeOf(await passHits(many)), [1_000, 0]);
  assert.equal((await held.hits()).length, 2_000);
  // Nor do they take from what the address may send itself.
  const headers = { 'user-agent': CHROME, 'accept-language': 'de' };
  const body = { site: 'example.com', url: HIT.url };
  assert.equal((await ask('POST', '/day', { body, headers, address: GERMAN })).headers.get('Daybook-Dropped'), null);
});

test('what only a hit has is checked too', async (t) => {
  const { passHits, held } = await stage(t);
  const wrong: [hit: object, ...fields: string[]][] = [
    [{ ...HIT, ip: undefined }, '0.ip'],
    [{ ...HIT, ip: '' }, '0.ip'],
    [{ ...HIT, ip: '85.214.1' }, '0.ip'],
    [{ ...HIT, ip: '85.214.1.1:443' }, '0.ip'],
    [{ ...HIT, ip: '85.214.1.0/24' }, '0.ip'],
    [{ ...HIT, ip: 'example.com' }, '0.ip'],
    [{ ...HIT, event: '' }, '0.event'],
    [{ ...HIT, event: 'a'.repeat(121) }, '0.event'],
    [{ ...HIT, event: 'x', label: 'a'.repeat(201) }, '0.label'],
    [{ ...HIT, referrer: 1 }, '0.referrer'],
    [{ ...HIT, width: -1 }, '0.width'],
    [{ ...HIT, width: 12.5 }, '0.width'],
    [{ ...HIT, width: '1300' }, '0.width'],
    [{ ...HIT, status: 200 }, '0.status'],
    [{ ...HIT, engaged: 1_000 }, '0.engaged'],
  ];
  for (const [hit, ...fields] of wrong) assert.deepEqual(fieldsOf(await passHits([hit])), fields, JSON.stringify(hit));
  assert.deepEqual(await held.hits(), []);
});

test('hits of one site go to no other', async (t) => {
  const { ask, stranger, strangerSiteId, held } = await stage(t);
  const send = (body: unknown) => ask('POST', `/api/v1/sites/${strangerSiteId}/hits`, { token: stranger.token, body });
  assert.deepEqual(outcomeOf(await send([HIT, { ...HIT, url: 'https://stranger.example/' }])), [1, 1]);
  assert.deepEqual(
    (await held.hits()).map(({ siteId }) => siteId),
    [strangerSiteId],
  );
});
