import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bots, Crawler } from '../../../../src/api/answers.ts';
import { crawlerLines, crawlerRows, summary } from '../../../../src/dashboard/report/panels/crawlers.ts';

const crawler = (name: string, operator: string, purpose: Crawler['purpose'], requests: number): Crawler => ({
  crawler: name.toLowerCase(),
  name,
  operator,
  purpose,
  requests,
});

const BOTS: Bots = {
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-10T23:59:59Z',
  total: 120,
  crawlers: [
    crawler('GPTBot', 'OpenAI', 'training', 50),
    crawler('ClaudeBot', 'Anthropic', 'training', 40),
    crawler('ChatGPT-User', 'OpenAI', 'user', 30),
  ],
  pages: [],
};

test('the summary says what the requests were for, most first', () => {
  assert.equal(summary(BOTS), '120 requests. By purpose: Training 90, User request 30.');
  assert.equal(
    summary({ ...BOTS, total: 1, crawlers: [crawler('GPTBot', 'OpenAI', 'training', 1)] }),
    '1 request. By purpose: Training 1.',
  );
});

test('crawlers are listed by themselves, by operator or by purpose', () => {
  const lines = (group: string) =>
    crawlerLines(BOTS, group, '', () => {}).map(({ text, note = '', count }) => [text, note, count]);
  assert.deepEqual(lines('crawler'), [
    ['GPTBot', 'OpenAI, training', 50],
    ['ClaudeBot', 'Anthropic, training', 40],
    ['ChatGPT-User', 'OpenAI, user request', 30],
  ]);
  assert.deepEqual(lines('operator'), [
    ['OpenAI', '', 80],
    ['Anthropic', '', 40],
  ]);
  assert.deepEqual(lines('purpose'), [
    ['Training', '', 90],
    ['User request', '', 30],
  ]);
});

test('a crawler is selected with a click and unselected with the next', () => {
  const selected: string[] = [];
  const lines = crawlerLines(BOTS, 'crawler', 'gptbot', (id) => selected.push(id));
  for (const { onSelect } of lines.slice(0, 2)) onSelect?.(false);
  assert.deepEqual(selected, ['', 'claudebot']);
  assert.deepEqual(
    lines.map(({ isSelected }) => isSelected),
    [true, false, false],
  );
});

test('the file of the crawlers has all of them in full', () => {
  assert.deepEqual(crawlerRows(BOTS).slice(0, 2), [
    ['Crawler', 'Operator', 'Purpose', 'Requests'],
    ['GPTBot', 'OpenAI', 'Training', 50],
  ]);
});
