import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CRAWLERS, findCrawler } from '../../src/classify/crawlers.ts';
import { AI, adversaries, BOTS } from './agents.ts';
import { PEOPLE } from './people.ts';

test('every crawler is found by what it sends', () => {
  for (const [id, agent] of AI) assert.equal(findCrawler(agent)?.id, id, agent);
  assert.deepEqual(
    CRAWLERS.filter(({ id }) => !AI.some(([known]) => known === id)),
    [],
  );
});

test('case does not matter', () => {
  for (const [id, agent] of AI) {
    assert.equal(findCrawler(agent.toLowerCase())?.id, id);
    assert.equal(findCrawler(agent.toUpperCase())?.id, id);
  }
});

test('ids, names and tokens are unique, and ids are lower-case words', () => {
  assert.ok(CRAWLERS.length >= 55);
  for (const key of ['id', 'name', 'token'] as const) {
    assert.equal(new Set(CRAWLERS.map((crawler) => crawler[key].toLowerCase())).size, CRAWLERS.length, key);
  }
  for (const { id } of CRAWLERS) assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('a token holds nothing that has a meaning in a pattern', () => {
  for (const { token } of CRAWLERS) assert.match(token, /^[A-Za-z0-9/ -]+$/);
});

test('people are no crawlers', () => {
  for (const [agent] of PEOPLE) assert.equal(findCrawler(agent), undefined, agent);
});

test('search engines, other bots and programs are no AI crawlers', () => {
  assert.ok(BOTS.length >= 28);
  for (const agent of BOTS) assert.equal(findCrawler(agent), undefined, agent);
});

test('words of robots.txt, editors and names that only contain a token are no AI crawlers', () => {
  const others = [
    '',
    'Mozilla/5.0 (compatible; Google-Extended/1.0; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Applebot-Extended/0.1)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Cursor/1.2.4 Chrome/132.0.6834.210 Electron/34.5.1 Safari/537.36',
    'Mozilla/5.0 (compatible; CursorTest/1.0)',
    'Mozilla/5.0 (compatible; TinyDevin/1.0; +https://example.com)',
    'Mozilla/5.0 (compatible; ThankYouBot/1.0; +https://example.com)',
    'Mozilla/5.0 (Linux; Android 13; Devin Build/TP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Claude/0.11.6 Chrome/136.0.7103.149 Electron/36.4.0 Safari/537.36',
  ];
  for (const agent of others) assert.equal(findCrawler(agent), undefined, agent);
});

test('of several tokens the longest counts, wherever it stands', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...CRAWLERS], { minLength: 1, maxLength: 4 }), (named) => {
      const longest = Math.max(...named.map(({ token }) => token.length));
      const found = findCrawler(`Mozilla/5.0 (compatible; ${named.map(({ token }) => token).join('; ')})`);
      assert.equal(found?.token.length, longest);
      assert.ok(named.includes(found));
    }),
  );
});

test('what stands behind the first 512 characters is not read', () => {
  assert.equal(findCrawler(`${' '.repeat(506)}GPTBot`)?.id, 'gptbot');
  assert.equal(findCrawler(`${' '.repeat(507)}GPTBot`), undefined);
});

test('10,000 texts that are made to be slow to read are read', () => {
  let read = 0;
  for (const text of adversaries()) {
    assert.equal(findCrawler(text), undefined, text);
    read++;
  }
  assert.equal(read, 10_000);
});
