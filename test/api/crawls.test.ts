import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHROME, CURL, GPTBOT } from '../collect/stage.ts';
import { CRAWL, fieldsOf, HIT, outcomeOf, stage } from './passed.ts';

test('crawls of known crawlers are counted by crawler and page, and the others ignored', async (t) => {
  const { passCrawls, held, siteId } = await stage(t);
  const claude = 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)';
  const answer = await passCrawls([
    CRAWL,
    { ...CRAWL, url: 'https://www.example.com/a/?b=c', status: 200 },
    { ...CRAWL, url: 'http://example.com:8080/a', status: 404 },
    { ...CRAWL, agent: claude, at: '2026-03-10T00:00:00Z' },
    { ...CRAWL, agent: CHROME },
    { ...CRAWL, agent: CURL },
    { ...CRAWL, agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    { ...CRAWL, agent: '' },
    { ...CRAWL, url: 'https://evil-example.com/' },
    { ...CRAWL, at: '2026-03-09T23:59:59Z' },
    { ...CRAWL, at: '2026-03-10T12:01:01Z' },
  ]);
  assert.deepEqual(outcomeOf(answer), [4, 7]);
  assert.deepEqual(await held.crawls(siteId), { 'claudebot /': 1, 'gptbot /': 1, 'gptbot /a': 2 });

  // The counts of another request are added.
  assert.deepEqual(outcomeOf(await passCrawls(Array.from({ length: 500 }, () => CRAWL))), [500, 0]);
  assert.deepEqual(outcomeOf(await passCrawls([{ ...CRAWL, agent: claude }])), [1, 0]);
  assert.deepEqual(await held.crawls(siteId), { 'claudebot /': 2, 'gptbot /': 501, 'gptbot /a': 2 });
  assert.deepEqual(await held.hits(), []);
});

test('a status that is no whole number is refused', async (t) => {
  const { passCrawls } = await stage(t);
  for (const status of ['200', 200.5, null]) {
    assert.deepEqual(fieldsOf(await passCrawls([{ ...CRAWL, status }])), ['0.status']);
  }
});

test('a site that does not track crawlers counts none, whichever way they come', async (t) => {
  const { passCrawls, passHits, owner, held, siteId } = await stage(t);
  await owner.ask('PATCH', `/sites/${siteId}`, { track_crawlers: false });
  assert.deepEqual(outcomeOf(await passCrawls([CRAWL])), [0, 1]);
  assert.deepEqual(outcomeOf(await passHits([{ ...HIT, agent: GPTBOT }, HIT])), [1, 1]);
  assert.deepEqual(await held.crawls(siteId), {});
  assert.deepEqual(await held.drops(siteId), { crawler: 1 });
});
