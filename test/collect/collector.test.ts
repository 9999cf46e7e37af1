import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSwitch } from '../../src/store/sites/sites.ts';
import { MIDNIGHT, stage, visitorsOf } from './collecting.ts';
import {
  AMERICAN,
  CHROME,
  GPTBOT,
  type Hit,
  IPHONE,
  NOWHERE,
  pageview,
  storedCrawls,
  storedDrops,
  TODAY,
} from './stage.ts';

test('a pageview becomes a hit with everything that is known of it, and nothing else', async (t) => {
  const { take, hits } = stage(t);
  const url =
    'https://www.site1.example/a/../Blog/?utm_source=news&utm_medium=%20mail%20&utm_campaign=May&utm_term=red&gclid=SECRET#top';
  await take({ url, referrer: 'https://www.X.org/path?q=1', width: 1300 });
  await take({ event: 'signup', label: 'pro' }, { address: AMERICAN, agent: IPHONE });
  const [first, second] = hits();
  assert.deepEqual(
    first,
    pageview({
      visitor: first?.visitor ?? 0,
      page: '/Blog',
      hostname: 'www.site1.example',
      source: 'x.org',
      utm_source: 'news',
      utm_medium: 'mail',
      utm_campaign: 'May',
      country: 'DE',
      device: 'Desktop',
      browser: 'Chrome',
      browser_version: 'Chrome 141',
      os: 'Windows',
      os_version: 'Windows 10 or 11',
      utm_term: 'red',
      screen: 'Laptop',
      language: 'de',
      ad: 'google',
    }),
  );
  assert.deepEqual(
    second,
    pageview({
      visitor: second?.visitor ?? 0,
      hostname: 'site1.example',
      event: 'signup',
      label: 'pro',
      country: 'US',
      device: 'Mobile',
      browser: 'Safari',
      browser_version: 'Safari 18',
      os: 'iOS',
      os_version: 'iOS 18',
      language: 'de',
    }),
  );
  assert.notEqual(first?.visitor, second?.visitor);
  for (const hit of hits()) assert.ok(Number.isSafeInteger(hit.visitor) && hit.visitor >= 0 && hit.visitor < 2 ** 53);
});

test('a hit lies on the second and the UTC day in which it came', async (t) => {
  const { take, hits, pass } = stage(t);
  await take();
  pass(0.999);
  await take();
  pass(MIDNIGHT - 1);
  await take();
  pass(0.001);
  await take();
  assert.deepEqual(
    hits().map(({ day, second }) => [day, second]),
    [
      [TODAY, 43_200],
      [TODAY, 43_200],
      [TODAY, 86_399],
      [TODAY + 1, 0],
    ],
  );
});

/** What a message's fields become; each row is one hit. */
const BECOMES: [message: object, hit: Partial<Hit>][] = [
  [{ url: 'https://site1.example' }, { page: '/' }],
  [{ url: 'https://site1.example//' }, { page: '/' }],
  [{ url: 'https://site1.example/ü/b/' }, { page: '/%C3%BC/b' }],
  [{ url: 'https://site1.example/a?b=c#d' }, { page: '/a' }],
  [{ url: 'https://site1.example/a/?b=c#/d/?e=f' }, { page: '/a#/d' }],
  [{ url: 'https://site1.example/a#!/ü b' }, { page: '/a#!/%C3%BC%20b' }],
  [{ url: 'https://site1.example/a#/' }, { page: '/a' }],
  [{ url: 'https://site1.example/a#access_token=s3cret&state=/d' }, { page: '/a' }],
  [{ url: 'https://site1.example/a#/d/ann@mail.example/e' }, { page: '/a#/d/:id/e' }],
  [{ url: `https://site1.example/a#/${'d'.repeat(2_000)}` }, { page: `/a#/${'d'.repeat(1_020)}` }],
  [{ url: `https://site1.example/${'a'.repeat(2_000)}` }, { page: `/${'a'.repeat(1_023)}` }],
  [{ referrer: 'https://site1.example/before' }, { source: '' }],
  [{ referrer: 'https://www.site1.example/before' }, { source: '' }],
  [{ referrer: 'https://blog.site1.example/before' }, { source: '' }],
  [{ referrer: 'https://notsite1.example/' }, { source: 'notsite1.example' }],
  [{ referrer: 'https://192.0.2.7/' }, { source: '' }],
  [{ referrer: 'https://[2001:db8::1]/' }, { source: '' }],
  [{ referrer: 'http://localhost:3000/' }, { source: '' }],
  [{ referrer: 'about:blank' }, { source: '' }],
  [{ referrer: 'x.org' }, { source: '' }],
  [{ referrer: 'android-app://com.twitter.android/' }, { source: 'com.twitter.android' }],
  [{ url: 'https://site1.example/?ref=a' }, { utm_source: 'a' }],
  [{ url: 'https://site1.example/?ref=a&source=b' }, { utm_source: 'b' }],
  [{ url: 'https://site1.example/?ref=a&source=b&utm_source=c' }, { utm_source: 'c' }],
  [{ url: 'https://site1.example/?ref=a&utm_source=%20' }, { utm_source: 'a' }],
  [{ url: `https://site1.example/?utm_source=${'ü'.repeat(300)}` }, { utm_source: 'ü'.repeat(200) }],
  [{ label: 'without an event' }, { label: '', event: '' }],
  [{ event: 'x' }, { event: 'x', label: '' }],
];

test('fields become what the statistics ask for', async (t) => {
  const { take, last } = stage(t);
  for (const [message, hit] of BECOMES) {
    assert.equal(await take(message), undefined);
    const stored = last();
    for (const [name, value] of Object.entries(hit)) {
      assert.equal(stored[name as keyof Hit], value, `${name} of ${JSON.stringify(message).slice(0, 200)}`);
    }
  }
});

test('an address that nobody knows has no country, and an odd one neither', async (t) => {
  const { take, hits } = stage(t);
  const addresses = [NOWHERE, '127.0.0.1', '10.0.0.1', '::1', 'fd00::1', ''];
  for (const address of addresses) assert.equal(await take({}, { address }), undefined);
  assert.deepEqual(new Set(hits().map(({ country }) => country)), new Set(['']));
  await take({}, { address: '2003:e0::1' });
  assert.equal(hits().at(-1)?.country, 'DE');
});

test('the brand that a browser names wins over its agent, and its own word for headless makes it a bot', async (t) => {
  const { take, last } = stage(t);
  await take({}, { brands: '"Chromium";v="141", "Brave";v="141"' });
  assert.equal(last().browser, 'Brave');
  assert.equal(await take({}, { brands: '"HeadlessChrome";v="141"' }), 'bot');
});

test('a visitor is the same with the same address and agent, on one site and one day', async (t) => {
  const staged = stage(t);
  const { take, pass } = staged;
  const second = { site: 'site2.example', url: 'https://site2.example/' };
  await take();
  await take({ url: 'https://www.site1.example/b' });
  await take({}, { address: AMERICAN });
  await take({}, { agent: IPHONE });
  await take(second);
  await take(second);
  pass(MIDNIGHT - 1);
  await take();
  pass(1);
  await take();
  await take(second);
  await take();
  assert.deepEqual(visitorsOf(staged), [0, 0, 1, 2, 3, 3, 0, 4, 5, 4]);
});

test('a restart on the same day knows the visitors again, one on another day does not', async (t) => {
  const staged = stage(t);
  const { take, pass, restart } = staged;
  await take();
  restart();
  await take();
  pass(MIDNIGHT);
  restart();
  await take();
  restart();
  await take();
  assert.deepEqual(visitorsOf(staged), [0, 0, 1, 1]);
});

test('the addresses of one household are one in IPv6, and each is one in IPv4', async (t) => {
  const staged = stage(t);
  for (const address of [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:0DB8:0001:0002::7',
    '2001:db8:1:3::1',
    '192.0.2.1',
    '192.0.2.2',
  ]) {
    await staged.take({}, { address });
  }
  assert.deepEqual(visitorsOf(staged), [0, 0, 0, 1, 2, 3]);
});

test('AI crawlers are counted by crawler and page, unless the site does not want it', async (t) => {
  const { take, db, pass, hits } = stage(t);
  const agent = GPTBOT;
  assert.equal(await take({ url: 'https://site1.example/a/?b' }, { agent }), 'crawler');
  assert.equal(await take({ url: 'https://site1.example/a' }, { agent }), 'crawler');
  assert.equal(await take({}, { agent: `${CHROME} ClaudeBot/1.0` }), 'crawler');
  assert.equal(await take({ url: 'https://site2.example/' }, { agent }), 'foreign-host');
  const counted = { 'claudebot /': 1, 'gptbot /a': 2 };
  assert.deepEqual(storedCrawls(db(), 1), counted);

  changeSwitch(db(), 1, 'track_crawlers', false);
  pass(1);
  assert.equal(await take({}, { agent }), 'crawler');
  await take();
  assert.deepEqual(storedCrawls(db(), 1), counted);
  assert.deepEqual(storedDrops(db(), 1), { crawler: 4, 'foreign-host': 1 });
  assert.equal(hits().length, 1);
});

test('a visitor who comes while a long list of a server is read has a turn before its end', async (t) => {
  const { take, takePassed, hits } = stage(t);
  const passed = takePassed(60, { count: 1_000 });
  await take({ url: 'https://site1.example/between' });
  assert.deepEqual(
    hits().map(({ page }) => page),
    ['/between'],
    'the list is stored as a whole, after its last hit was read',
  );
  assert.deepEqual(await passed, { accepted: 1_000, dropped: 0 });
  assert.equal(hits().length, 1_001);
});

test('if midnight comes while a list of a server is read, its other hits are too late', async (t) => {
  const { take, takePassed, hits, pass, db } = stage(t);
  pass(MIDNIGHT - 30);
  const passed = takePassed(60, { count: 1_000 });
  pass(60);
  await take();
  const { accepted, dropped } = await passed;
  assert.ok(accepted > 0 && dropped > 0, `${accepted} accepted`);
  assert.equal(accepted + dropped, 1_000);
  assert.equal(hits().filter(({ day }) => day === TODAY).length, accepted);
  assert.equal(storedDrops(db(), 1)['too-late'], dropped);
});
