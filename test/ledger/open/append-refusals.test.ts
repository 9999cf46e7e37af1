import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../src/lib/errors.ts';
import { BROWSER, pageview, storedCrawls, storedDrops, storedHits, TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { numbered, range, stage, visitorsIn } from '../appending.ts';

const isUnavailable = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'unavailable' && Number(error.headers['Retry-After']) > 0;

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
    'SELECT t.text FROM day_term w JOIN term t ON t.site_id = w.site_id AND t.id = w.term ORDER BY 1',
  );
  assert.deepEqual(
    words.map((row) => (row as { text: string }).text),
    ['/a', '/b', '/before', 'a', 'b'],
  );
});

test('a disk that stays full is one line in the log, and when it has room again another that counts', async (t) => {
  const { append, fail, log, pass, settle } = stage(t);
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  fail(full);
  for (let n = 0; n < 50; n++) {
    await assert.rejects(append(numbered(1, n)), isUnavailable);
    pass(60);
  }
  assert.equal(log.length, 1);
  fail(undefined);
  pass(600);
  await append(numbered(1, 100));
  assert.deepEqual(log.slice(1), [['hits not stored, in all', { times: 50 }]]);
  fail(full);
  for (let n = 0; n < 3; n++) await assert.rejects(append(numbered(1, n)), isUnavailable);
  fail(undefined);
  settle();
  assert.deepEqual(log.slice(3), [['hits not stored, in all', { times: 3 }]]);
});

test('whatever is asked while the file takes nothing, the log has one line of it', async (t) => {
  const { ask, owner, siteId, db, clock, log } = await startApp(t);
  clock.pass(86_400);
  db.run('PRAGMA query_only = ON');
  const view = { site: 'example.com', url: 'https://example.com/' };
  for (let n = 0; n < 20; n++) {
    assert.equal((await ask('POST', '/day', { body: view, headers: BROWSER })).status, 503);
    const note = { date: '2026-03-10', text: 'a note' };
    assert.equal((await owner.ask('POST', `/sites/${siteId}/notes`, note)).status, 503);
  }
  assert.equal(log.filter((line) => line.includes('request failed')).length, 1);
  assert.equal(log.length, 1);
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
