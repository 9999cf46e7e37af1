import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildCollector, type Collector } from '../../src/collect/collector.ts';
import type { Reason, Sender } from '../../src/collect/outcome.ts';
import { Engagement, Message } from '../../src/collect/payload.ts';
import { engineHere } from '../../src/compose.ts';
import { type OptionName, readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engine.ts';
import { checked } from '../../src/lib/input.ts';
import { logTo } from '../../src/lib/log.ts';
import { addSite, changeSwitch, removeSite } from '../../src/store/sites.ts';
import type { Db } from '../../src/store/statements.ts';
import { NOON, startApp } from '../helpers.ts';
import {
  AMERICAN,
  BROWSER,
  CHROME,
  CURL,
  fileOf,
  GERMAN,
  GPTBOT,
  type Hit,
  IPHONE,
  NOWHERE,
  pageview,
  storedCrawls,
  storedDrops,
  storedHits,
  TODAY,
} from './stage.ts';

const MIDNIGHT = 12 * 3600;
/** Enough for many batches, and for the WAL to be emptied in between. */
const SENT = 20_000;

type Asking = { address?: string; agent?: string; brands?: string };

/** A collector over a file with the sites site1.example and site2.example, at noon, which may be started again. */
function stage(t: TestContext, settings: Partial<Record<OptionName, string>> = {}) {
  const { path, open } = fileOf(t);
  const config = readConfig({ flood: '0', ...settings }, {});
  let time = NOON;
  const clock = { now: () => time, tick: () => time - NOON };
  const log: string[] = [];
  const start = (): { db: Db; engine: Engine; collector: Collector; close(): void } => {
    const { db, close } = open();
    const engine = engineHere(db, clock);
    const collector = buildCollector({
      config,
      db,
      engine,
      clock,
      random: randomBytes,
      log: logTo((line) => log.push(line), clock.now),
    });
    return { db, engine, collector, close };
  };
  let now = start();
  t.after(() => now.engine.settle());

  const senderOf = ({ address = GERMAN, agent = CHROME, brands }: Asking): Sender => ({
    address,
    agent,
    browser: { acceptLanguage: 'de', brands, platform: undefined, mobile: undefined },
  });
  return {
    path,
    log,
    db: () => now.db,
    /** Another connection to the same file. */
    other: () => open().db,
    turn: () => now.collector.everyMinute(),
    pass(seconds: number): void {
      time += seconds * 1000;
    },
    restart(): void {
      now.collector.settle();
      now.engine.settle();
      now.close();
      now = start();
    },
    /** A pageview of the first site unless something else is said; the reason if it is not counted. */
    take(message: object = {}, asking: Asking = {}): Promise<Reason | undefined> {
      const whole = { site: 'site1.example', url: 'https://site1.example/', ...message };
      return now.collector.take(checked(Message, whole), senderOf(asking), false);
    },
    /** What a server says that it saw, so many seconds ago. */
    takePassed(ago: number, { address: ip = GERMAN, agent = CHROME }: Asking = {}) {
      const site = {
        id: 1,
        domain: 'site1.example',
        tracksCrawlers: true,
        privatePaths: '',
        timeZone: 'UTC',
        earliestDay: 0,
      };
      const at = Math.floor(time / 1000) - ago;
      return now.collector.takeHits(site, [{ url: new URL('https://site1.example/'), ip, agent, at }]);
    },
    engage(seconds: number, message: object = {}, asking: Asking = {}): Promise<Reason | undefined> {
      const whole = { site: 'site1.example', url: 'https://site1.example/', engaged: seconds * 1000, ...message };
      return now.collector.engage(checked(Engagement, whole), senderOf(asking));
    },
    hits: (): Hit[] => storedHits(now.db),
    last(): Hit {
      const hit = storedHits(now.db).at(-1);
      assert.ok(hit);
      return hit;
    },
  };
}

type Stage = ReturnType<typeof stage>;

/** The codes of the visitors of all hits, as small numbers in order of their first hit: two hits, one visitor is 0, 0. */
function visitorsOf({ hits }: Stage): number[] {
  const codes = hits().map(({ visitor }) => visitor);
  return codes.map((code) => [...new Set(codes)].indexOf(code));
}

test('a pageview becomes a hit with everything that is known of it, and nothing else', async (t) => {
  const { take, hits } = stage(t);
  const url = 'https://www.site1.example/a/../Blog/?utm_source=news&utm_medium=%20mail%20&utm_campaign=May#top';
  await take({ url, referrer: 'https://www.X.org/path?q=1' });
  await take({ event: 'signup', label: 'pro' }, { address: AMERICAN, agent: IPHONE });
  const [first, second] = hits();
  assert.deepEqual(
    first,
    pageview({
      visitor: first?.visitor ?? 0,
      page: '/Blog',
      source: 'x.org',
      utm_source: 'news',
      utm_medium: 'mail',
      utm_campaign: 'May',
      country: 'DE',
      device: 'Desktop',
      browser: 'Chrome',
      os: 'Windows',
    }),
  );
  assert.deepEqual(
    second,
    pageview({
      visitor: second?.visitor ?? 0,
      event: 'signup',
      label: 'pro',
      country: 'US',
      device: 'Mobile',
      browser: 'Safari',
      os: 'iOS',
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

const saltsOf = (db: Db): Buffer[] => db.all<{ bytes: Buffer }>('SELECT bytes FROM salt').map(({ bytes }) => bytes);

/** All bytes that lie in the folder of a file. */
const bytesBeside = (path: string): Buffer =>
  Buffer.concat(readdirSync(dirname(path)).map((name) => readFileSync(`${dirname(path)}/${name}`)));

test('a site has one salt, of random bytes, which the next day overwrites', async (t) => {
  const { take, pass, db, path } = stage(t);
  assert.deepEqual(saltsOf(db()), []);
  await take();
  const [before, ...more] = saltsOf(db());
  assert.ok(before);
  assert.deepEqual([before.length, more.length], [32, 0]);
  db().one('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.ok(readFileSync(path).includes(before));

  pass(MIDNIGHT);
  await take();
  const [after, ...others] = saltsOf(db());
  assert.ok(after);
  assert.deepEqual([after.length, others.length], [32, 0]);
  assert.notDeepEqual(after, before);
  db().one('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.equal(readFileSync(path).includes(before), false);
  assert.ok(readFileSync(path).includes(after));
});

test('from the first hit of a day on, the salt of the day before is nowhere in the folder', async (t) => {
  const { take, pass, db, path } = stage(t);
  await take();
  const [before] = saltsOf(db());
  assert.ok(before && bytesBeside(path).includes(before));
  pass(MIDNIGHT);
  await take();
  assert.equal(bytesBeside(path).includes(before), false);
});

test('from midnight on, where nobody comes, the salt of the day before is nowhere in the folder', async (t) => {
  const { take, pass, turn, restart, db, other, path } = stage(t);
  await take();
  const [first] = saltsOf(db());
  assert.ok(first);
  turn();
  assert.deepEqual(saltsOf(db()), [first], 'on the same day it is kept');

  pass(MIDNIGHT);
  turn();
  assert.equal(bytesBeside(path).includes(first), false);
  await take();
  const [second] = saltsOf(db());
  assert.ok(second && bytesBeside(path).includes(second));

  // Also when somebody reads at that moment, or the server starts on a later day.
  const reader = other();
  reader.run('BEGIN');
  reader.all('SELECT * FROM site');
  pass(86_400);
  turn();
  assert.deepEqual(saltsOf(db()), []);
  assert.ok(bytesBeside(path).includes(second));
  reader.run('COMMIT');
  turn();
  assert.equal(bytesBeside(path).includes(second), false);
  await take();
  const [third] = saltsOf(db());
  assert.ok(third);
  pass(86_400);
  restart();
  turn();
  assert.equal(bytesBeside(path).includes(third), false);
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one story: what was sent is looked for in all that is left of it
test('neither address nor agent nor query comes into the file, into what lies beside it, or into the log', async (t) => {
  const app = await startApp(t, { flood: '0', 'trusted-proxies': NOWHERE });
  const { ask, db, tokenOf, owner, siteId, strangerSiteId } = app;
  const secrets = new Set<string>(['203.0.', '2001:db8:', 'semalt-path', 'before-path', 'hash-mark']);
  let marks = 0;
  const marked = (name: string): string => {
    secrets.add(`${name}-mark`);
    return `${name}-mark${marks++}`;
  };
  const addressOf = (n: number): string =>
    n % 2 ? `203.0.${n % 200}.${(n * 7) % 250}` : `2001:db8:${(n + 4_096).toString(16)}:77::${n + 1}`;
  const messageOf = (page: number) => ({
    site: 'example.com',
    url: `https://${marked('user')}:pw@example.com/page${page}?token=${marked('query')}&utm_source=kept#hash-mark`,
    referrer: `https://x.org/before-path?session=${marked('referrer')}`,
  });
  const agentOf = () => `${CHROME} ${marked('handset')}/1.0`;
  const send = (n: number) =>
    ask('POST', '/day', {
      body: messageOf(n % 100),
      headers: {
        ...BROWSER,
        'user-agent': agentOf(),
        'accept-language': marked('language'),
        cookie: `id=${marked('cookie')}`,
        'x-forwarded-for': addressOf(n),
      },
    });
  for (let n = 0; n < SENT; n += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => send(n + i)));
    for (const { status, headers } of answers) assert.deepEqual([status, headers.get('Daybook-Dropped')], [202, null]);
  }

  // What a server passes on, what is dropped, what is wrong, and what could not be stored.
  const passed = Array.from({ length: 100 }, (_, n) => {
    const { url, referrer } = messageOf(n);
    return { url, referrer, ip: addressOf(5_000 + n), agent: agentOf() };
  });
  const token = tokenOf(owner, ['collect']);
  const path = `/api/v1/sites/${siteId}`;
  assert.equal((await ask('POST', `${path}/hits`, { token, body: passed })).body.data.accepted, 100);
  const crawl = { url: `https://example.com/crawled?key=${marked('query')}`, agent: `GPTBot/1.0 ${marked('handset')}` };
  assert.equal((await ask('POST', `${path}/crawls`, { token, body: [crawl] })).body.data.accepted, 1);
  const odd: [message: object, headers: Record<string, string>][] = [
    [{ url: `https://${marked('host')}.example/` }, {}],
    [{ site: `${marked('site')}.example` }, {}],
    [{ referrer: 'https://semalt.com/semalt-path' }, {}],
    [{}, { 'user-agent': `${CURL} ${marked('handset')}` }],
    [{}, { 'user-agent': `${GPTBOT} ${marked('handset')}` }],
    [{ unknown: marked('value') }, {}],
    [{ url: `mailto:${marked('mail')}@example.com` }, {}],
    [{ engaged: 1000 }, {}],
  ];
  const sendOdd = (n: number) => {
    const [message, headers] = odd[n] ?? [{}, {}];
    return ask('POST', '/day', {
      body: { ...messageOf(n), referrer: undefined, ...message },
      headers: { ...BROWSER, 'user-agent': agentOf(), 'x-forwarded-for': addressOf(6_000 + n), ...headers },
    });
  };
  for (const n of odd.keys()) await sendOdd(n);
  db.run('PRAGMA query_only = ON');
  assert.equal((await send(7_000)).status, 503);
  db.run('PRAGMA query_only = OFF');
  assert.equal((await send(7_001)).status, 202);
  assert.equal(storedHits(db).length, SENT + 101);
  assert.ok(storedDrops(db, siteId).bot && !storedDrops(db, strangerSiteId).bot);

  const file = db.one<{ file: string }>('SELECT file FROM pragma_database_list')?.file ?? '';
  const bytes = bytesBeside(file);
  const log = app.log.join('');
  // What is kept is found this way, and the log has something in it.
  assert.ok(bytes.includes('/page7') && bytes.includes('kept') && bytes.includes('x.org'));
  assert.match(log, /not stored/);
  assert.ok(marks > 5 * SENT);
  for (const secret of secrets) {
    assert.equal(bytes.includes(secret) || log.includes(secret), false, `${secret} was kept`);
  }
  const packed = (n: number) => Buffer.from(`20010db8${(n + 4_096).toString(16).padStart(4, '0')}0077`, 'hex');
  for (let n = 0; n < 200; n += 2) assert.equal(bytes.includes(packed(n)), false, `the network of ${n} was kept`);
});

test('engagement counts for as long as the visit is running: 1,800 seconds and not one more', async (t) => {
  const { take, engage, pass, hits, db } = stage(t);
  assert.equal(await engage(1), 'no-visit');
  await take();
  pass(1_800);
  assert.equal(await engage(5), undefined);
  pass(1_800);
  assert.equal(await engage(5), undefined, 'it counts as activity itself');
  pass(1_801);
  assert.equal(await engage(5), 'no-visit');
  assert.equal(await engage(5), 'no-visit', 'and what is dropped does not');
  await take();
  pass(1);
  assert.equal(await engage(1), undefined);
  assert.deepEqual(
    hits().map(({ engaged, second }) => [engaged, second - 43_200]),
    [
      [null, 0],
      [5, 1_800],
      [5, 3_600],
      [null, 5_401],
      [1, 5_402],
    ],
  );
  await take();
  assert.deepEqual(storedDrops(db(), 1), { 'no-visit': 3 });
});

test('engagement is kept with its visitor and page, and has nothing else of a hit', async (t) => {
  const { take, engage, pass, hits, last } = stage(t);
  await take({ url: 'https://site1.example/a?utm_source=x', referrer: 'https://x.org/' });
  pass(60);
  assert.equal(await engage(30.4, { url: 'https://www.site1.example/a/?utm_source=x#b' }), undefined);
  assert.deepEqual(last(), pageview({ second: 43_260, visitor: hits()[0]?.visitor ?? 0, engaged: 30, page: '/a' }));
});

test('nobody has looked for longer than since the visitor was last active', async (t) => {
  const { take, engage, pass, last } = stage(t);
  await take();
  const kept = async (passed: number, claimed: number): Promise<number | null> => {
    pass(passed);
    assert.equal(await engage(claimed), undefined);
    return last().engaged;
  };
  assert.equal(await kept(60, 60), 60);
  assert.equal(await kept(60, 0), 0);
  assert.equal(await kept(60, 0.4), 0);
  // One second more, because the times of both are cut to seconds.
  for (const claimed of [61, 62, 1_000, 1e9, 1e300]) assert.equal(await kept(60, claimed), 61);
  assert.equal(await kept(0, 1e9), 1);
  assert.equal(await kept(1_800, 1e9), 1_801);
});

test('engagement belongs to the visitor of the site, and ends at midnight', async (t) => {
  const { take, engage, pass, hits } = stage(t);
  const second = { site: 'site2.example', url: 'https://site2.example/' };
  pass(MIDNIGHT - 10);
  await take();
  assert.equal(await engage(1, second), 'no-visit');
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
  assert.equal(await engage(1, {}, { agent: IPHONE }), 'no-visit');
  assert.equal(await engage(1, { url: 'https://site2.example/' }), 'foreign-host');
  assert.equal(await engage(1, { site: 'site3.example' }), 'unknown-site');
  pass(9);
  assert.equal(await engage(1), undefined);
  pass(1);
  assert.equal(await engage(1), 'no-visit');
  assert.equal(hits().length, 2);
});

test('a restart knows the visits that are running, and those that are not', async (t) => {
  const { take, engage, pass, restart } = stage(t);
  await take({}, { address: AMERICAN });
  pass(1_000);
  await take();
  pass(801);
  restart();
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
  assert.equal(await engage(1), undefined);
  pass(1_800);
  restart();
  assert.equal(await engage(1), undefined, 'engagement was the last sign of life');
  pass(1_801);
  restart();
  assert.equal(await engage(1), 'no-visit');
});

test('a hit that a server passes on belongs to the visit that is running', async (t) => {
  const staged = stage(t);
  const { take, takePassed, engage, pass } = staged;
  await takePassed(1_790);
  assert.equal(await engage(1), undefined);
  pass(1_800);
  assert.equal(await engage(1), undefined);
  await take();
  assert.deepEqual(new Set(visitorsOf(staged)), new Set([0]));
  await takePassed(1_801, { address: AMERICAN });
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
});

test('a hit of earlier in the day that comes late does not end the visit that is running', async (t) => {
  const { take, takePassed, engage, pass } = stage(t);
  await take();
  await takePassed(7_200);
  pass(10);
  assert.equal(await engage(5), undefined);
});

test('a hit of earlier in the day that comes first after a restart lets no running visit be forgotten', async (t) => {
  const { take, takePassed, engage, pass, restart } = stage(t);
  await take();
  restart();
  await takePassed(3 * 3_600, { address: AMERICAN });
  pass(10);
  assert.equal(await engage(5), undefined);
});

test('visits that begin one after the other all run for as long as they should', async (t) => {
  const { take, engage, pass, hits } = stage(t);
  // One begins every 300 s, and each shows a sign of life after 1,500 s, 1,800 s later, and too late after that.
  const outcomes: Record<number, Reason | undefined> = { 1500: undefined, 3300: undefined, 5400: 'no-visit' };
  for (let now = 0; now <= 9_000; now += 300) {
    await take({}, { address: `192.0.2.${now / 300}` });
    for (const [after, outcome] of Object.entries(outcomes)) {
      const begun = now - Number(after);
      if (begun < 0) continue;
      assert.equal(await engage(1, {}, { address: `192.0.2.${begun / 300}` }), outcome, `${begun} at ${now}`);
    }
    pass(300);
  }
  assert.equal(hits().filter(({ engaged }) => engaged !== null).length, 26 + 20);
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

const NEW = { site: 'new.example', url: 'https://new.example/' };

const addNew = (db: Db): number => db.write(() => addSite(db, { accountId: 1, domain: 'new.example', now: 0 }));

const eventsOf = ({ hits }: Stage, siteId: number): string[] =>
  hits().flatMap((hit) => (hit.siteId === siteId ? [hit.event] : []));

test('a site counts as soon as it is added, and no longer once it is deleted, whoever does that', async (t) => {
  const staged = stage(t);
  const { take, db, other } = staged;
  for (const by of [db(), other()]) {
    assert.equal(await take(NEW), 'unknown-site');
    const siteId = addNew(by);
    assert.equal(await take(NEW), undefined);
    assert.deepEqual(eventsOf(staged, siteId), ['']);
    removeSite(by, siteId);
    assert.equal(await take(NEW), 'unknown-site');
  }
});

test('a site that is deleted and added again at once takes the hits from then on', async (t) => {
  const staged = stage(t);
  const { take, db, other } = staged;
  let siteId = addNew(db());
  assert.equal(await take(NEW), undefined);
  for (const by of [db(), other()]) {
    // Asks for the site and writes nothing.
    assert.equal(await take(NEW, { agent: CURL }), 'bot');
    removeSite(by, siteId);
    siteId = addNew(by);
    await nextTurn();
    assert.equal(await take(NEW), undefined);
    assert.deepEqual(eventsOf(staged, siteId), ['']);
  }

  // Also when all of it comes in one go.
  const taken = [take({ ...NEW, event: 'before' })];
  removeSite(db(), siteId);
  taken.push(take({ ...NEW, event: 'between' }));
  siteId = addNew(db());
  taken.push(take({ ...NEW, event: 'after' }));
  assert.deepEqual(await Promise.all(taken), [undefined, 'unknown-site', undefined]);
  assert.deepEqual(eventsOf(staged, siteId), ['after']);
});

test('a site that is deleted between taking and writing loses its own hits only', async (t) => {
  const { take, db, hits } = stage(t);
  const second = { site: 'site2.example', url: 'https://site2.example/' };
  const taken = [
    take(),
    take(second),
    take({}, { agent: GPTBOT }),
    take({}, { agent: CURL }),
    take(second, { agent: GPTBOT }),
    take(second, { agent: CURL }),
    take({ event: 'x' }),
    take(second),
  ];
  removeSite(db(), 1);
  assert.deepEqual(await Promise.all(taken), [
    undefined,
    undefined,
    'crawler',
    'bot',
    'crawler',
    'bot',
    undefined,
    undefined,
  ]);
  await take(second);
  assert.deepEqual(
    hits().map(({ siteId }) => siteId),
    [2, 2, 2],
  );
  assert.deepEqual(storedDrops(db(), 2), { bot: 1, crawler: 1 });
  assert.deepEqual(storedCrawls(db(), 2), { 'gptbot /': 1 });
  assert.deepEqual(db().all('SELECT events FROM usage'), [{ events: 3 }]);
  for (const table of ['term', 'day_word', 'drop_day', 'crawl_day']) {
    assert.deepEqual(db().all(`SELECT * FROM ${table} WHERE site_id = 1`), [], table);
  }
});
