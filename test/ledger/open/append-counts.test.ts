import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageview, storedCrawls, storedDrops, storedHits, TODAY } from '../../collect/stage.ts';
import { stage } from '../appending.ts';

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
