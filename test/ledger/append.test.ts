import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Crawl, Drop } from '../../src/engine.ts';
import { appender } from '../../src/ledger/append.ts';
import { Problem, Refusal } from '../../src/lib/errors.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';
import type { Db } from '../../src/store/statements.ts';
import {
  activityOf,
  asKept,
  BROWSER,
  fileOf,
  type Hit,
  pageview,
  storedCrawls,
  storedDrops,
  storedHits,
  TODAY,
} from '../collect/stage.ts';
import { startApp } from '../helpers.ts';

/** An open day over a file, another connection to that, and a count of the transactions. */
function stage(t: TestContext, { sites = 2 } = {}) {
  const { open } = fileOf(t, { sites });
  const [{ db }, { db: other }] = [open(), open()];
  let writes = 0;
  let failure: Error | undefined;
  const watched: Db = {
    ...db,
    write: (work) =>
      db.write(() => {
        writes++;
        const result = work();
        // After all the work, as when the disk is full.
        if (failure) throw failure;
        return result;
      }),
  };
  const log: [event: string, details: object | undefined][] = [];
  const { append, drop, settle } = appender(watched, (event, details) => log.push([event, details]));
  t.after(settle);
  return {
    append: (hits: readonly Hit[], crawls: readonly Omit<Crawl, 'requests'>[] = []) =>
      append({ activities: hits.map(activityOf), crawls: crawls.map((one) => ({ ...one, requests: 1 })) }),
    countDrop: (one: Omit<Drop, 'hits'>) => drop({ ...one, hits: 1 }),
    settle,
    db,
    other,
    log,
    writes: () => writes,
    fail(error: Error | undefined): void {
      failure = error;
    },
  };
}

const numbered = (n: number, from = 0): Hit[] => Array.from({ length: n }, (_, i) => pageview({ visitor: from + i }));

const visitorsIn = (db: Db): number[] =>
  db.all<{ visitor: number }>('SELECT visitor FROM hit ORDER BY id').map(({ visitor }) => visitor);

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const isUnavailable = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'unavailable' && Number(error.headers['Retry-After']) > 0;

test('all that waits goes into one transaction, in the order in which it came', async (t) => {
  const { append, other, writes } = stage(t);
  const appended = numbered(500).map((hit) => append([hit]));
  assert.equal(writes(), 0);
  await Promise.all(appended);
  assert.equal(writes(), 1);
  assert.deepEqual(visitorsIn(other), range(500));
});

test('a transaction takes 1,000 hits, or one request that brings more', async (t) => {
  const { append, other, writes } = stage(t);
  await Promise.all(numbered(2_500).map((hit) => append([hit])));
  assert.equal(writes(), 3);
  const before = writes();
  const [first, second, third] = [numbered(900, 2_500), numbered(900, 3_400), numbered(100, 4_300)];
  await Promise.all([append(first), append(second), append(third)]);
  assert.equal(writes() - before, 2);
  await append(numbered(1_500, 4_400));
  assert.equal(writes() - before, 3);
  assert.deepEqual(visitorsIn(other), range(5_900));
});

test('what comes one after the other is each on the disk before it is acknowledged', async (t) => {
  const { append, other, writes } = stage(t);
  for (const hit of numbered(50)) {
    await append([hit]);
    assert.equal(visitorsIn(other).at(-1), hit.visitor);
  }
  assert.equal(writes(), 50);
});

test('whoever is acknowledged among many finds what they sent in the file, and nothing is there twice', async (t) => {
  const { append, other } = stage(t);
  const seen = async (hits: Hit[]): Promise<void> => {
    await append(hits);
    for (const { visitor } of hits) {
      assert.deepEqual(other.one('SELECT count(*) AS n FROM hit WHERE visitor = ?', visitor), { n: 1 });
    }
  };
  const senders: Promise<void>[] = [];
  for (let n = 0; n < 1_200; n += 4) {
    senders.push(seen(numbered(n % 3 === 0 ? 4 : 1, n)));
    if (n % 40 === 0) await turn();
  }
  await Promise.all(senders);
  assert.equal(visitorsIn(other).length, new Set(visitorsIn(other)).size);
});

test('a steady stream puts the writing off for nobody', async (t) => {
  const { append, settle } = stage(t);
  let isStored = false;
  const first = append(numbered(1_500)).then(() => {
    isStored = true;
  });
  const others: Promise<void>[] = [];
  for (let n = 0; n < 100 && !isStored; n++) {
    others.push(append([pageview()]));
    await turn();
  }
  assert.equal(isStored, true);
  settle();
  await Promise.all([first, ...others]);
});

test('any hits that go in come out, in their order', async (t) => {
  const { append, other } = stage(t);
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', 'a', '/', '(other)', 'ü', '😀') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  );
  const texts = Object.fromEntries(TEXT_FIELDS.map((word) => [word, text])) as Record<TextField, typeof text>;
  const numbers = {
    siteId: fc.constantFrom(1, 2),
    day: fc.integer({ min: TODAY, max: TODAY + 40 }),
    second: fc.nat(86_399),
    visitor: fc.maxSafeNat(),
    engaged: fc.option(fc.nat(86_400)),
  };
  const hit: fc.Arbitrary<Hit> = fc.record({ ...numbers, ...texts }, { noNullPrototype: true });
  const sent: Hit[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(hit, { maxLength: 5 }), { maxLength: 8 }), async (requests) => {
      await Promise.all(requests.map((hits) => append(hits)));
      const hits = requests.flat();
      sent.push(...hits);
      assert.deepEqual(storedHits(other).slice(sent.length - hits.length), hits.map(asKept));
    }),
    { numRuns: 40 },
  );
  assert.deepEqual(storedHits(other), sent.map(asKept));
  const used = sent.filter(({ engaged }) => engaged === null).length;
  assert.deepEqual(other.one('SELECT coalesce(sum(events), 0) AS n FROM usage'), { n: used });
});

test('events are used in the month of their day, by the account of their site, and engagement is none', async (t) => {
  const { append, other } = stage(t);
  const april = Date.parse('2026-04-01') / 86_400_000;
  await append([pageview(), pageview({ siteId: 2, event: 'x' }), pageview({ engaged: 5 }), pageview({ engaged: 0 })]);
  await Promise.all([
    append([pageview({ day: april - 1 })]),
    append([pageview({ day: april }), pageview({ day: april })]),
  ]);
  const rows = other.all('SELECT account_id, month, events FROM usage ORDER BY month');
  assert.deepEqual(rows, [
    { account_id: 1, month: '2026-03', events: 3 },
    { account_id: 1, month: '2026-04', events: 2 },
  ]);
});

test('crawls add up by day, crawler and page', async (t) => {
  const { append, other } = stage(t);
  const crawl = { siteId: 1, day: TODAY, crawler: 'gptbot', page: '/' };
  await append([], [crawl, crawl, { ...crawl, page: '/a' }, { ...crawl, crawler: 'ccbot' }, { ...crawl, siteId: 2 }]);
  await Promise.all([append([], [crawl]), append([pageview()], [crawl])]);
  await append([], [{ ...crawl, day: TODAY + 1 }]);
  assert.deepEqual(storedCrawls(other, 1), { 'ccbot /': 1, 'gptbot /': 5, 'gptbot /a': 1 });
  assert.deepEqual(storedCrawls(other, 2), { 'gptbot /': 1 });
  assert.deepEqual(
    other.all("SELECT day, requests FROM crawl_day WHERE site_id = 1 AND crawler = 'gptbot' AND requests > 1"),
    [{ day: TODAY, requests: 4 }],
  );
  assert.equal(storedHits(other).length, 1);
});

test('what was dropped is counted with the next hits, or by itself within a second', async (t) => {
  const { append, countDrop, other, writes } = stage(t);
  const bot = { siteId: 1, day: TODAY, reason: 'bot' };
  for (let n = 0; n < 3; n++) countDrop(bot);
  countDrop({ ...bot, siteId: 2 });
  await append([pageview()]);
  assert.equal(writes(), 1, 'a hit does not wait for them');
  assert.deepEqual([storedDrops(other, 1), storedDrops(other, 2)], [{ bot: 3 }, { bot: 1 }]);

  t.mock.timers.enable({ apis: ['setTimeout'] });
  countDrop(bot);
  t.mock.timers.tick(900);
  countDrop({ ...bot, day: TODAY + 1 });
  countDrop({ ...bot, reason: 'spam' });
  t.mock.timers.tick(100);
  assert.deepEqual(storedDrops(other, 1), { bot: 5, spam: 1 });
  assert.deepEqual(storedDrops(other, 1, TODAY + 1), { bot: 1 });
  const before = writes();
  t.mock.timers.tick(10_000);
  assert.equal(writes(), before, 'where nothing waits nothing is written');
});

test('settle writes at once what is waiting', async (t) => {
  const { append, countDrop, settle, other } = stage(t);
  const appended = Promise.all(numbered(2_500).map((hit) => append([hit])));
  countDrop({ siteId: 1, day: TODAY, reason: 'bot' });
  settle();
  assert.equal(visitorsIn(other).length, 2_500);
  assert.deepEqual(storedDrops(other, 1), { bot: 1 });
  await appended;
  await append([pageview()]);
  assert.equal(visitorsIn(other).length, 2_501);
});

test('at most 10,000 wait; who is beyond is told to come back, and there is room again afterwards', async (t) => {
  const { append, other } = stage(t);
  const crawl = { siteId: 1, day: TODAY, crawler: 'gptbot', page: '/' };
  const waiting = range(9).map((n) => append(numbered(1_000, n * 1_000)));
  waiting.push(append(numbered(999, 9_000)));
  const refused = [append(numbered(2, 20_000)), append(numbered(1, 20_000), [crawl])];
  waiting.push(append([], [crawl]));
  refused.push(append(numbered(1, 20_000)));
  for (const one of refused) await assert.rejects(one, isUnavailable);
  await Promise.all(waiting);
  assert.deepEqual(visitorsIn(other), range(9_999));
  await append(numbered(1, 9_999));
  assert.deepEqual(visitorsIn(other), range(10_000));
  assert.deepEqual(storedCrawls(other, 1), { 'gptbot /': 1 });
});

test('a change of settings that is kept alongside stays with its batch, or neither does', async (t) => {
  const { db, other } = stage(t);
  const { append } = appender(db, () => {});
  const rename = (name: string) => () => void db.run('UPDATE plan SET name = ?', name);
  const nameNow = () => other.one<{ name: string }>('SELECT name FROM plan')?.name;
  await append({ activities: [activityOf(pageview())], alongside: rename('first') });
  assert.deepEqual([nameNow(), storedHits(other).length], ['first', 1]);
  const refusal = new Refusal('not now');
  const failing = () => {
    rename('second')();
    throw refusal;
  };
  await assert.rejects(append({ activities: [activityOf(pageview())], alongside: failing }), refusal);
  assert.deepEqual([nameNow(), storedHits(other).length], ['first', 1]);
});

test('when a transaction fails, all in it are told, nothing of it stays, and the next is like the first', async (t) => {
  const { append, countDrop, fail, other, log } = stage(t);
  await append([pageview({ page: '/before' })]);
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  fail(full);
  countDrop({ siteId: 1, day: TODAY, reason: 'bot' });
  const crawl = { siteId: 1, day: TODAY, crawler: 'gptbot', page: '/crawled' };
  const refused = [
    append([pageview({ page: '/a', event: 'a' })]),
    append([pageview({ page: '/b' })]),
    append([], [crawl]),
  ];
  for (const outcome of await Promise.allSettled(refused)) {
    assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason));
  }
  assert.equal(storedHits(other).length, 1);
  assert.equal(log.length, 1);
  assert.deepEqual(log[0]?.[1], { code: 'SQLITE_FULL', message: 'database or disk is full', batches: 3 });

  fail(undefined);
  const after = [
    pageview({ page: '/b', event: 'b' }),
    pageview({ page: '/a', event: 'a' }),
    pageview({ page: '/before' }),
  ];
  await append(after);
  assert.deepEqual(storedHits(other).slice(1), after);
  assert.deepEqual(storedCrawls(other, 1), {});
  // What was dropped before it was not told to anybody, so it still counts.
  assert.deepEqual(storedDrops(other, 1), { bot: 1 });
  assert.deepEqual(other.one('SELECT events FROM usage'), { events: 4 });
  const words = other.all(
    'SELECT t.text FROM day_word w JOIN term t ON t.site_id = w.site_id AND t.id = w.term ORDER BY 1',
  );
  assert.deepEqual(
    words.map((row) => (row as { text: string }).text),
    ['/a', '/b', '/before', 'a', 'b'],
  );
});

test('who waits behind a transaction that fails is not told before their own', async (t) => {
  const { append, fail, other } = stage(t);
  fail(new Error('no'));
  const first = append(numbered(1_000));
  const second = append(numbered(1_000, 1_000)).then(() => 'stored');
  await assert.rejects(first, isUnavailable);
  fail(undefined);
  assert.equal(await second, 'stored');
  assert.deepEqual(visitorsIn(other), range(2_000).slice(1_000));
});

test('while the file takes no more, /day says so, reading goes on, and nothing that was refused is counted later', async (t) => {
  const { ask, owner, db, log, siteId } = await startApp(t, { flood: '0' });
  const send = (page: string) => {
    const url = `https://example.com/${page.padEnd(1_000, 'x')}`;
    return ask('POST', '/day', { body: { site: 'example.com', url }, headers: BROWSER });
  };
  const sendMany = (name: string) => Promise.all(range(100).map((n) => send(`${name}-${n}-`)));
  const pages = () => storedHits(db).map(({ page }) => page.split('-')[0]);
  assert.equal((await send('before-')).status, 202);
  // Not below the pages that there are.
  db.one('PRAGMA max_page_count = 1');
  for (const answer of await sendMany('refused')) {
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable']);
    assert.ok(Number(answer.headers.get('Retry-After')) > 0);
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
  }
  assert.equal((await owner.ask('GET', '/sites')).status, 200);
  assert.equal((await owner.ask('GET', `/sites/${siteId}`)).status, 200);
  assert.equal((await ask('GET', '/day.js')).status, 200);
  assert.match(log.join(''), /"hits not stored, their senders are asked to retry","code":"SQLITE_FULL"/);
  assert.deepEqual(pages(), ['/before']);

  db.one('PRAGMA max_page_count = 1000000');
  for (const answer of await sendMany('after')) assert.equal(answer.status, 202);
  assert.deepEqual(pages(), ['/before', ...Array(100).fill('/after')]);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});

test('a day that begins while the file takes nothing begins as soon as it does', async (t) => {
  const { ask, db, clock } = await startApp(t);
  const send = () =>
    ask('POST', '/day', { body: { site: 'example.com', url: 'https://example.com/' }, headers: BROWSER });
  assert.equal((await send()).status, 202);
  clock.pass(86_400);
  db.run('PRAGMA query_only = ON');
  const refused = await send();
  assert.deepEqual([refused.status, Number(refused.headers.get('Retry-After')) > 0], [503, true]);
  assert.equal((await send()).status, 503);
  db.run('PRAGMA query_only = OFF');
  assert.equal((await send()).status, 202);
  assert.deepEqual(
    storedHits(db).map(({ day }) => day),
    [TODAY, TODAY + 1],
  );
});
